// All tests in one process, so that one browser is started: node --test all.mjs. Each file can be run alone, too.
import "./player.test.mjs";
import "./pictures.test.mjs";
import "./tools.test.mjs";
import "./viewer.test.mjs";
import "./viewer-play.test.mjs";
import "./viewer-save.test.mjs";
import "./convert.test.mjs";
