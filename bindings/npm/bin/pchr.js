#!/usr/bin/env node
require("./run.js")("pchr");
