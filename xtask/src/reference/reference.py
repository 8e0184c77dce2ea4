"""Renders chat templates with Hugging Face transformers, one JSON line in, one out.

A line is a conversation in OpenAI's form with its `template`; the answer is {"prompt": ...} or
{"error": {"class": ..., "message": ...}}. The clock stands still at the moment that the first argument names, as
YYYY-MM-DDTHH:MM:SS, since a prompt with today's date in it differs from yesterday's.
"""

import datetime
import json
import sys

from jinja2.exceptions import TemplateError, TemplateSyntaxError
from transformers.utils import chat_template_utils


class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromisoformat(sys.argv[1])


chat_template_utils.datetime = Frozen


def render(line):
    variables = json.loads(line)
    template = variables.pop("template")
    messages = variables.pop("messages")
    try:
        prompts, _ = chat_template_utils.render_jinja_template([messages], chat_template=template, **variables)
        return {"prompt": prompts[0]}
    except Exception as error:
        return {"error": {"class": kind(error), "message": f"{type(error).__name__}: {error}"}}


def kind(error):
    if isinstance(error, TemplateSyntaxError):
        return "syntax"
    # raise_exception raises the base class; what else is one is an expression that failed.
    return "raised" if type(error) is TemplateError else "failed"


for line in sys.stdin:
    print(json.dumps(render(line)), flush=True)
