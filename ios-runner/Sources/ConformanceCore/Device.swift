// The phone: what it is, and how it is doing.
import Foundation

#if canImport(Darwin)
import Darwin
#endif
#if os(iOS)
import os
#endif

public enum Device {
    /// Operating system, version, and the model's identifier on Apple's systems.
    public static var system: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let number = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        #if os(iOS)
        return "iOS \(number) (\(machine))"
        #elseif os(macOS)
        return "macOS \(number) (\(machine))"
        #else
        return "\(ProcessInfo.processInfo.operatingSystemVersionString)"
        #endif
    }

    /// As Rust names it.
    public static var architecture: String {
        #if arch(arm64)
        return "aarch64"
        #else
        return "x86_64"
        #endif
    }

    #if canImport(Darwin)
    /// `iPhone18,1`; in the simulator the one that it plays.
    static var machine: String {
        if let played = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return played }
        var info = utsname()
        uname(&info)
        return withUnsafeBytes(of: &info.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
    #endif
}

/// One look at the phone's state. On other systems there is nothing to see.
public struct DeviceReading: Sendable {
    public let thermal: String
    /// Bytes that the app may still allocate.
    public let available: UInt64?
    /// Bytes that count against its limit.
    public let footprint: UInt64?
    public let lowPower: Bool

    public static func now() -> DeviceReading {
        DeviceReading(thermal: thermal(), available: availableMemory(), footprint: usedMemory(), lowPower: savesPower())
    }

    static func thermal() -> String {
        #if canImport(Darwin)
        switch ProcessInfo.processInfo.thermalState {
        case .nominal: return "nominal"
        case .fair: return "fair"
        case .serious: return "serious"
        case .critical: return "critical"
        @unknown default: return "unknown"
        }
        #else
        return "unknown"
        #endif
    }

    static func savesPower() -> Bool {
        #if canImport(Darwin)
        return ProcessInfo.processInfo.isLowPowerModeEnabled
        #else
        return false
        #endif
    }

    static func availableMemory() -> UInt64? {
        #if os(iOS) && !targetEnvironment(simulator)
        return UInt64(os_proc_available_memory())
        #else
        return nil
        #endif
    }

    static func usedMemory() -> UInt64? {
        #if canImport(Darwin)
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let code = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return code == KERN_SUCCESS ? UInt64(info.phys_footprint) : nil
        #else
        return nil
        #endif
    }
}

/// `DeviceState` of harness/wire: the phone before and after an answer.
struct DeviceState: Encodable {
    let before: DeviceReading
    let after: DeviceReading

    enum CodingKeys: String, CodingKey {
        case thermal_before, thermal_after, available_before, available_after, footprint_before, footprint_after
        case low_power
    }

    func encode(to encoder: Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(before.thermal, forKey: .thermal_before)
        try values.encode(after.thermal, forKey: .thermal_after)
        try values.encodeIfPresent(before.available, forKey: .available_before)
        try values.encodeIfPresent(after.available, forKey: .available_after)
        try values.encodeIfPresent(before.footprint, forKey: .footprint_before)
        try values.encodeIfPresent(after.footprint, forKey: .footprint_after)
        try values.encode(before.lowPower || after.lowPower, forKey: .low_power)
    }
}
