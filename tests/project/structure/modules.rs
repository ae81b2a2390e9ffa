//! The modules of `src`: their declarations and imports with visibility, and the resolution of paths.

use std::collections::HashMap;

use super::tokens::{Token, tokens};

/// The visibility of a name, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    Public,
    /// Visible in the crate or a part of it: `pub(crate)`, `pub(super)` and `pub(in …)`.
    Restricted,
    Private,
}

/// `use path as name;`, possibly one of several in braces. A glob has the name `*`.
#[derive(Debug, Clone)]
pub struct Import {
    pub visibility: Visibility,
    pub path: Vec<String>,
    pub name: String,
    pub line: usize,
}

/// The module of a file.
#[derive(Debug, Default)]
pub struct Module {
    /// Path in `src`.
    pub file: String,
    /// Module path from the crate root.
    pub path: Vec<String>,
    pub tokens: Vec<Token>,
    pub imports: Vec<Import>,
    /// Functions, types, constants and modules.
    pub items: HashMap<String, Visibility>,
    /// Functions in `impl` blocks, by type and name.
    pub methods: HashMap<(String, String), Visibility>,
    pub fields: Vec<(String, Visibility)>,
    /// `#[non_exhaustive]` structs.
    pub non_exhaustive: Vec<String>,
}

/// The target of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The module itself, or the one that contains the item.
    pub module: usize,
    /// The item and what follows it, such as an associated function or a variant.
    pub item: Vec<String>,
    /// The first name in the path that is not public, with its module.
    pub hidden: Option<(usize, String)>,
}

/// All modules of the library.
pub struct Modules {
    pub list: Vec<Module>,
    by_path: HashMap<Vec<String>, usize>,
}

impl Modules {
    /// Parses files, given by path in `src` and text.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let list: Vec<Module> = files.into_iter().map(|(file, text)| module(file, text)).collect();
        let by_path = list.iter().enumerate().map(|(index, module)| (module.path.clone(), index)).collect();
        Self { list, by_path }
    }

    /// Returns true if one of the modules contains the other.
    pub fn are_family(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.list[a].path, &self.list[b].path);
        a.starts_with(b) || b.starts_with(a)
    }

    fn child(&self, module: usize, name: &str) -> Option<usize> {
        let mut path = self.list[module].path.clone();
        path.push(name.to_owned());
        self.by_path.get(&path).copied()
    }

    /// Resolves `path` as written in `module`. Returns `None` for other crates, and for names in scope that are
    /// not imported.
    pub fn resolve(&self, module: usize, path: &[String]) -> Option<Target> {
        self.follow(module, path, 0)
    }

    fn follow(&self, from: usize, path: &[String], depth: usize) -> Option<Target> {
        let (mut at, mut rest) = (from, path);
        while let [first, others @ ..] = rest {
            let own = &self.list[at].path;
            let to = match first.as_str() {
                "crate" => Vec::new(),
                "self" => own.clone(),
                "super" => own[..own.len().checked_sub(1)?].to_vec(),
                _ => break,
            };
            (at, rest) = (*self.by_path.get(&to)?, others);
        }
        // Other names belong to other crates, unless this module contains them.
        let is_relative = rest.len() == path.len();
        self.walk(at, rest, is_relative, depth)
    }

    fn walk(&self, mut at: usize, mut rest: &[String], is_relative: bool, depth: usize) -> Option<Target> {
        // Modules may import each other's names in a cycle.
        if depth > 16 {
            return None;
        }
        let mut hidden = None;
        let mut is_first = is_relative;
        while let [first, others @ ..] = rest {
            let module = &self.list[at];
            let mut note = |visibility: Option<Visibility>| {
                if !is_first && visibility.is_some_and(|visibility| visibility != Visibility::Public) {
                    hidden.get_or_insert((at, first.clone()));
                }
            };
            let import = module.imports.iter().find(|import| import.name == *first);
            // A function may have the same name as its module.
            let child = self.child(at, first).filter(|_| import.is_none() || !others.is_empty());
            if let Some(child) = child {
                note(module.items.get(first).copied());
                (at, rest, is_first) = (child, others, false);
                continue;
            }
            if let Some(import) = import {
                note(Some(import.visibility));
                // A violation in the import is reported there.
                let is_hidden = self.follow(at, &import.path, depth + 1)?.hidden.is_some();
                let mut path = import.path.clone();
                path.extend_from_slice(others);
                let target = self.follow(at, &path, depth + 1)?;
                let hidden = hidden.or(target.hidden.filter(|_| !is_hidden));
                return Some(Target { hidden, ..target });
            }
            if let Some(visibility) = module.items.get(first) {
                note(Some(*visibility));
                break;
            }
            let globs = module.imports.iter().filter(|import| import.name == "*");
            let found = globs.into_iter().find_map(|import| {
                let within = self.follow(at, &import.path, depth + 1).filter(|target| target.item.is_empty())?;
                let target = self.walk(within.module, rest, false, depth + 1)?;
                let is_there =
                    target.module != within.module || self.list[within.module].items.contains_key(first.as_str());
                is_there.then_some(target)
            });
            if let Some(target) = found {
                return Some(Target { hidden: hidden.or(target.hidden.clone()), ..target });
            }
            if is_first {
                return None;
            }
            break;
        }
        Some(Target { module: at, item: rest.to_vec(), hidden })
    }

    /// Returns all struct expressions with fields in `module`: the path and the line.
    pub fn struct_expressions(&self, module: usize) -> Vec<(Vec<String>, usize)> {
        let tokens = &self.list[module].tokens;
        let text = |at: usize| tokens.get(at).map_or("", |token| &*token.text);
        let mut found = Vec::new();
        for open in (1..tokens.len()).filter(|&at| text(at) == "{" && is_name(text(at - 1))) {
            let mut start = open - 1;
            while start >= 2 && text(start - 1) == "::" && is_name(text(start - 2)) {
                start -= 2;
            }
            let before = if start == 0 { "" } else { text(start - 1) };
            let is_type = ["impl", "for", "struct", "enum", "union", "trait", "mod", "->", "&", "<", "dyn"];
            if is_type.contains(&before) {
                continue;
            }
            let mut depth = 0;
            let close = (open..tokens.len()).find(|&at| {
                depth += i32::from(text(at) == "{") - i32::from(text(at) == "}");
                depth == 0
            });
            // Two dots followed by nothing: a pattern.
            if close.is_some_and(|close| text(close - 1) != "..") {
                let path = (start..open).step_by(2).map(|at| text(at).to_owned()).collect();
                found.push((path, tokens[open].line));
            }
        }
        found
    }

    /// Returns all paths in `module` with their lines, imports first.
    pub fn paths(&self, module: usize) -> Vec<(Vec<String>, usize)> {
        let module = &self.list[module];
        let mut found: Vec<_> = module.imports.iter().map(|import| (import.path.clone(), import.line)).collect();
        let mut at = 0;
        let text = |at: usize| module.tokens.get(at).map_or("", |token| &*token.text);
        while at < module.tokens.len() {
            if text(at) == "use" {
                while !["", ";"].contains(&text(at)) {
                    at += 1;
                }
            }
            let is_start =
                is_name(text(at)) && text(at + 1) == "::" && (at == 0 || !["::", "."].contains(&text(at - 1)));
            if !is_start {
                at += 1;
                continue;
            }
            let (mut path, line) = (vec![text(at).to_owned()], module.tokens[at].line);
            at += 1;
            while text(at) == "::" && is_name(text(at + 1)) {
                path.push(text(at + 1).to_owned());
                at += 2;
            }
            found.push((path, line));
            at += 1;
        }
        found
    }
}

pub fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn module(file: &str, text: &str) -> Module {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let path = if path == "lib" { Vec::new() } else { path.split('/').map(str::to_owned).collect() };
    let tokens = tokens(text);
    let mut module = Module { file: file.to_owned(), path, ..Module::default() };
    Reader { tokens: &tokens, at: 0 }.module(&mut module);
    Reader { tokens: &tokens, at: 0 }.local_imports(&mut module.imports);
    module.tokens = tokens;
    module
}

/// A parser of declarations.
struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |token| &token.text)
    }

    fn next(&mut self) -> String {
        let text = self.peek(0).to_owned();
        self.at += 1;
        text
    }

    /// Skips a bracketed group that begins here.
    fn skip_group(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match &*self.next() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth <= 0 {
                return;
            }
        }
    }

    /// Skips the rest of a declaration: up to a semicolon or the closing brace.
    fn skip_item(&mut self) {
        while self.at < self.tokens.len() {
            match self.peek(0) {
                ";" => return self.at += 1,
                "{" => return self.skip_group(),
                "(" | "[" => self.skip_group(),
                _ => self.at += 1,
            }
        }
    }

    fn visibility(&mut self) -> Visibility {
        if self.peek(0) != "pub" {
            return Visibility::Private;
        }
        self.at += 1;
        if self.peek(0) != "(" || !["crate", "super", "in", "self"].contains(&self.peek(1)) {
            return Visibility::Public;
        }
        self.skip_group();
        Visibility::Restricted
    }

    fn module(&mut self, module: &mut Module) {
        let mut is_non_exhaustive = false;
        let mut macros: HashMap<String, Vec<(String, Visibility)>> = HashMap::new();
        while self.at < self.tokens.len() {
            if self.peek(0) == "#" {
                self.at += 1 + usize::from(self.peek(1) == "!");
                is_non_exhaustive |= self.peek(1) == "non_exhaustive";
                self.skip_group();
                continue;
            }
            let line = self.tokens[self.at].line;
            let visibility = self.visibility();
            while ["async", "unsafe", "extern", super::tokens::TEXT].contains(&self.peek(0))
                || (self.peek(0) == "const" && ["fn", "unsafe", "async"].contains(&self.peek(1)))
            {
                self.at += 1;
            }
            match &*self.next() {
                "fn" | "trait" | "type" | "static" | "const" | "mod" | "enum" | "union" => {
                    module.items.insert(self.next(), visibility);
                    self.skip_item();
                }
                "struct" => {
                    let name = self.next();
                    if is_non_exhaustive {
                        module.non_exhaustive.push(name.clone());
                    }
                    module.items.insert(name, visibility);
                    self.fields(module);
                }
                "use" => {
                    let mut path = Vec::new();
                    self.imports(&mut path, visibility, line, &mut module.imports);
                }
                "impl" => self.methods(&mut module.methods),
                "macro_rules" => {
                    self.at += 1;
                    let name = self.next();
                    let from = self.at;
                    self.skip_group();
                    macros.insert(name, self.made_by(from));
                }
                name if self.peek(0) == "!" => {
                    let made = macros.get(name).cloned().unwrap_or_default();
                    let from = self.at;
                    self.at += 1;
                    self.skip_group();
                    for pair in self.tokens[from..self.at].windows(2).filter(|pair| pair[1].text == ";") {
                        let kind = &pair[0].text;
                        if is_name(kind) && !made.is_empty() {
                            module.items.insert(kind.clone(), Visibility::Public);
                            module
                                .methods
                                .extend(made.iter().map(|(name, seen)| ((kind.clone(), name.clone()), *seen)));
                        }
                    }
                }
                _ => {}
            }
            is_non_exhaustive = false;
        }
    }

    /// Returns the associated functions generated by the macro that begins at token `from`.
    fn made_by(&self, from: usize) -> Vec<(String, Visibility)> {
        let mut inner = Reader { tokens: &self.tokens[from..self.at], at: 0 };
        let mut found = Vec::new();
        while inner.at < inner.tokens.len() {
            let visibility = inner.visibility();
            if visibility != Visibility::Private && inner.peek(0) == "const" {
                inner.at += 1;
            }
            let is_function = inner.next() == "fn";
            if is_function && visibility != Visibility::Private {
                found.push((inner.next(), visibility));
            }
        }
        found
    }

    fn imports(&mut self, path: &mut Vec<String>, visibility: Visibility, line: usize, found: &mut Vec<Import>) {
        let len = path.len();
        loop {
            match &*self.next() {
                "" | ";" | "}" => break,
                "::" => {}
                "{" => {
                    self.imports(path, visibility, line, found);
                    path.truncate(len);
                }
                "," => path.truncate(len),
                name => {
                    if name != "self" || path.is_empty() {
                        path.push(name.to_owned());
                    }
                    if self.peek(0) != "::" {
                        let mut name = path.last().cloned().unwrap_or_default();
                        if self.peek(0) == "as" {
                            self.at += 1;
                            name = self.next();
                        }
                        let mut path = path.clone();
                        if name == "*" {
                            path.pop();
                        }
                        found.push(Import { visibility, path, name, line });
                    }
                }
            }
        }
    }

    /// Collects the imports inside functions.
    fn local_imports(&mut self, found: &mut Vec<Import>) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            let line = self.tokens[self.at].line;
            match &*self.next() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "use" if depth > 0 => self.imports(&mut Vec::new(), Visibility::Private, line, found),
                "use" => self.skip_item(),
                _ => {}
            }
        }
    }

    fn fields(&mut self, module: &mut Module) {
        while !["", ";", "{", "("].contains(&self.peek(0)) {
            self.at += 1;
        }
        if self.peek(0) != "{" {
            return self.skip_item();
        }
        let from = self.at + 1;
        self.skip_group();
        let mut inner = Reader { tokens: &self.tokens[from..self.at], at: 0 };
        while inner.at < inner.tokens.len() {
            if inner.peek(0) == "#" {
                inner.at += 1;
                inner.skip_group();
                continue;
            }
            let visibility = inner.visibility();
            module.fields.push((inner.next(), visibility));
            while !["", ","].contains(&inner.peek(0)) {
                if ["(", "[", "{"].contains(&inner.peek(0)) { inner.skip_group() } else { inner.at += 1 }
            }
            inner.at += 1;
        }
    }

    fn methods(&mut self, found: &mut HashMap<(String, String), Visibility>) {
        let (mut kind, mut depth) = (String::new(), 0);
        while !["", "{"].contains(&self.peek(0)) {
            match &*self.next() {
                "<" => depth += 1,
                ">" => depth -= 1,
                "where" => break,
                "for" => kind.clear(),
                word if depth == 0 && is_name(word) => word.clone_into(&mut kind),
                _ => {}
            }
        }
        while !["", "{"].contains(&self.peek(0)) {
            self.at += 1;
        }
        let from = self.at + 1;
        self.skip_group();
        let mut inner = Reader { tokens: &self.tokens[from..self.at.saturating_sub(1).max(from)], at: 0 };
        while inner.at < inner.tokens.len() {
            let visibility = inner.visibility();
            while ["const", "async", "unsafe"].contains(&inner.peek(0)) {
                inner.at += 1;
            }
            match &*inner.next() {
                "fn" => {
                    found.insert((kind.clone(), inner.next()), visibility);
                    inner.skip_item();
                }
                "#" => inner.skip_group(),
                _ => {}
            }
        }
    }
}
