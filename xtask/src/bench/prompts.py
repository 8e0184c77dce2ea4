"""Renders one template many times with Jinja2, as transformers sets it up, and prints how long the rendering took."""

import json
import sys
import time

from transformers.utils import chat_template_utils

with open(sys.argv[1], newline="") as file:
    template = chat_template_utils._compile_jinja_template(file.read())
chats = [
    [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": f"Question {index}: what is the capital of France?"},
        {"role": "assistant", "content": "Paris."},
        {"role": "user", "content": "And of Italy?"},
    ]
    for index in range(int(sys.argv[2]))
]
for chat in chats[: len(chats) // 10]:
    template.render(messages=chat, tools=None, documents=None, add_generation_prompt=True, bos_token="<s>")
start = time.perf_counter()
for chat in chats:
    template.render(messages=chat, tools=None, documents=None, add_generation_prompt=True, bos_token="<s>")
print(json.dumps({"seconds": time.perf_counter() - start}))
