"""Arguments that are refused, and the stub."""

import ast
import inspect
import math
import unittest
from pathlib import Path

import numpy as np
from common import BINDINGS, KNIGHT, LAMP, SMALL

import pchr


class Arguments(unittest.TestCase):
    def refused(self, code, method, *arguments, **keywords):
        with self.assertRaises(pchr.Error) as raised:
            method(*arguments, **keywords)
        error = raised.exception
        self.assertEqual(error.code, code, str(error))
        self.assertEqual((error.file, error.path, error.offset), (None, None, None))
        return str(error)

    def test_times_that_are_none(self):
        character = pchr.open(KNIGHT)
        for at in [math.nan, math.inf, -math.inf]:
            self.assertIn("seconds", self.refused("invalid-argument", character.render, "walk", time=at))
            self.refused("invalid-argument", character.render_many, "walk", times=[0.0, at])
            self.refused("invalid-argument", character.poses, "walk", fps=at)
            self.refused("invalid-argument", pchr.open, LAMP, fps=at)
            self.refused("invalid-argument", character.diff, character, epsilon=at)
        for fps in [0, -1, 1e9]:
            self.refused("invalid-argument", character.poses, "walk", fps=fps)
            self.refused("invalid-argument", pchr.open, LAMP, fps=fps)
        self.refused("invalid-argument", character.diff, character, epsilon=-1)
        first, end = character.render("walk", frame=0, size=40), character.render("walk", frame=-1, size=40)
        np.testing.assert_array_equal(character.render("walk", time=-5, size=40), first)
        np.testing.assert_array_equal(character.render("walk", time=1e300, size=40), end)

    def test_names_that_are_unknown(self):
        character = pchr.open(KNIGHT)
        self.assertIn("did you mean `walk`", self.refused("unknown-name", character.render, "wlak"))
        self.refused("unknown-name", character.render_many, "wlak")
        self.refused("unknown-name", character.poses, "wlak")
        self.refused("unknown-name", character.render, "walk", skins="x")
        self.refused("unknown-name", pchr.open, KNIGHT, skins=["x"])
        for frame in [10_000, 2**32, -(2**32), 2**32 - 1]:
            self.refused("no-such-frame", character.render, "walk", frame=frame)
        self.refused("invalid-argument", character.render, "walk", background="wurst")
        self.refused("invalid-argument", character.render, "walk", alpha="straightish")
        self.refused("invalid-argument", character.render, "walk", frame=1, time=0.1)
        self.refused("several-pictures", character.render, "all")
        self.refused("invalid-argument", pchr.open, KNIGHT, page_alpha="x")
        self.refused("invalid-argument", pchr.open, KNIGHT, missing="x")
        self.refused("invalid-argument", pchr.open, KNIGHT, movie_clips="x")
        self.refused("invalid-argument", pchr.open, KNIGHT, limits={"sanity": 1})
        for call in [
            lambda: character.render("walk", wurst=1),
            lambda: character.render("walk", frames="all"),
            lambda: character.render_many("walk", time=1),
            lambda: character.render_many("walk", frames="all", times=[0]),
            lambda: character.render("walk", frame=True),
            lambda: character.render(3),
            lambda: character.diff("x"),
            lambda: pchr.open(KNIGHT, wurst=1),
            lambda: pchr.validate(KNIGHT, skins="x"),
            lambda: pchr.open(KNIGHT, flip_v="yes"),
            lambda: pchr.open(KNIGHT, limits=7),
        ]:
            with self.assertRaises(TypeError):
                call()

    def test_options_are_words_of_their_own(self):
        """A value cannot become another option."""
        character = pchr.open(KNIGHT)
        self.refused("unknown-name", character.render, "--help")
        self.refused("unknown-name", character.render, "walk", skins=["--files=x"])
        self.refused("invalid-argument", character.render, "walk", background="-o x")

    def test_none_is_the_default(self):
        character = pchr.open(KNIGHT)
        plain = character.render("walk", size=30)
        np.testing.assert_array_equal(plain, character.render("walk", size=30, time=None, frame=None, skins=None, fit=None))


class Stubs(unittest.TestCase):
    """The stub has the names of the module, no more and no fewer."""

    tree = ast.parse((BINDINGS / "pchr.pyi").read_text())
    ONLY_TYPES = {"Finding", "Reading", "Look", "One", "Many", "Path", "Names", "Size"}

    def parameters(self, function):
        arguments = function.args
        names = [it.arg for it in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if it.arg != "self"]
        return names + ([arguments.kwarg.arg] if arguments.kwarg else [])

    def test_names(self):
        defined = {it.name: it for it in self.tree.body if isinstance(it, (ast.ClassDef, ast.FunctionDef))}
        named = {it.target.id for it in self.tree.body if isinstance(it, ast.AnnAssign)}
        public = {name for name in dir(pchr) if not name.startswith("_") and name != "pchr"} | {"__version__"}
        self.assertEqual((set(defined) | named) - self.ONLY_TYPES, public)
        for name in ["find", "open", "validate"]:
            found = list(inspect.signature(getattr(pchr, name)).parameters)
            self.assertEqual(self.parameters(defined[name]), found)
        for name in ["Character", "Poses"]:
            kind = getattr(pchr, name)
            members = defined[name].body
            stubbed = {it.name for it in members if isinstance(it, ast.FunctionDef)}
            stubbed |= {it.target.id for it in members if isinstance(it, ast.AnnAssign)}
            inherited = set(dir(object)) | {"__module__"}
            self.assertEqual(stubbed - inherited, set(dir(kind)) - inherited, name)
            for member in members:
                if isinstance(member, ast.FunctionDef) and not member.decorator_list and member.name[0] != "_":
                    found = [it for it in inspect.signature(getattr(kind, member.name)).parameters if it != "self"]
                    self.assertEqual(self.parameters(member), found, member.name)

    def test_every_keyword_is_known(self):
        classes = {it.name: it for it in self.tree.body if isinstance(it, ast.ClassDef)}
        fields = {name: [it.target.id for it in classes[name].body if isinstance(it, ast.AnnAssign)] for name in classes}
        character = pchr.open(SMALL)
        for keyword in fields["Look"] + fields["One"]:
            character.render(**{"size": 8, keyword: None})
        for keyword in fields["Look"] + fields["Many"]:
            character.render_many(**{"size": 8, keyword: None})
        for keyword in fields["Reading"]:
            self.assertEqual(pchr.validate(SMALL, **{keyword: None}), pchr.open(SMALL, **{keyword: None}).findings())
        # A test in tests/project finds options that the stubs lack.

    def test_it_is_installed_and_documented(self):
        installed = Path(pchr.__file__).parent
        self.assertTrue((installed / "py.typed").is_file())
        self.assertEqual((installed / "__init__.pyi").read_text(), (BINDINGS / "pchr.pyi").read_text())
        for documented in [pchr, pchr.find, pchr.open, pchr.validate, pchr.Character, pchr.Poses, pchr.Error]:
            self.assertTrue(documented.__doc__, documented)
        for name, member in vars(pchr.Character).items():
            if not name.startswith("_"):
                self.assertTrue(member.__doc__, name)
