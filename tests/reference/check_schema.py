#!/usr/bin/env python3
"""Checks JSON documents against a JSON Schema. The first line of stdin is the schema, and each further line is a
document. Prints one line for each document: the list of its faults."""

import json
import sys

from jsonschema import Draft202012Validator

schema = json.loads(sys.stdin.readline())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for line in sys.stdin:
    faults = [f"{fault.json_path}: {fault.message}" for fault in validator.iter_errors(json.loads(line))]
    print(json.dumps(faults), flush=True)
