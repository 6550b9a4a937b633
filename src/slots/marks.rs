//! Rewrites the source of a template before it is compiled, within its lines, so that faults keep theirs: whatever joins texts
//! or lists is passed on through a filter of `bounds`, and so are the arguments of filters, which multiply what they are given.

use minijinja::machinery::ast::{BinOp, BinOpKind, Call, CallArg, Expr, Stmt};
use minijinja::machinery::{Span, parse};
use minijinja::syntax::SyntaxConfig;

use super::bounds::{BOUNDED, FILTERED, SMALL, STORED};

/// The source, with every value measured that grows. One that cannot be read is left as it is: compiling it says why.
pub(super) fn measured(source: &str, file: &str, syntax: SyntaxConfig) -> String {
    let Ok(template) = parse(source, file, syntax) else { return source.to_owned() };
    let mut marks = Marks { source, before: Vec::new(), after: Vec::new() };
    marks.statement(&template);
    marks.applied(source)
}

/// Texts to insert at places of the source.
struct Marks<'s> {
    source: &'s str,
    /// At the same position, ends come before beginnings, and the last opened ends first.
    before: Vec<usize>,
    after: Vec<(usize, &'static str)>,
}

impl Marks<'_> {
    /// `x` becomes `(x)|filter`.
    fn wrap(&mut self, (start, end): (usize, usize), filter: &'static str) {
        self.before.push(start);
        let words = match filter {
            SMALL => ")|__small",
            STORED => ")|__stored",
            FILTERED => ")|__filtered",
            _ => ")|__bounded",
        };
        self.after.push((end, words));
    }

    /// `[x]` becomes `([x]|__bounded)`, since an index or a name may follow.
    fn enclose(&mut self, span: Span) {
        let (start, end) = range(span);
        self.before.push(start);
        self.after.push((end, "|__bounded)"));
    }

    /// `x * y` becomes `(x)|__times(1 * y)`: a product of constants is not made when the template is compiled, and no product
    /// before it is measured.
    fn multiply(&mut self, of: &BinOp<'_>, (start, end): (usize, usize)) {
        let behind = end_of(&of.left);
        // Only parentheses can stand between an operand and its operator.
        let Some(operator) = self.source.get(behind..end).and_then(|rest| rest.find('*')) else {
            return self.wrap((start, end), BOUNDED);
        };
        self.before.push(start);
        self.after.push((behind + operator, ")|__times(1 "));
        self.after.push((end, ")"));
    }

    fn applied(mut self, source: &str) -> String {
        self.before.sort_unstable();
        // Stable: inner expressions were marked before those around them.
        self.after.sort_by_key(|(at, _)| *at);
        let mut text = String::with_capacity(source.len() * 2);
        let (mut before, mut after) = (self.before.into_iter().peekable(), self.after.into_iter().peekable());
        for (at, c) in source.char_indices().map(|(at, c)| (at, Some(c))).chain([(source.len(), None)]) {
            while let Some((_, words)) = after.next_if(|(end, _)| *end <= at) {
                text.push_str(words);
            }
            while before.next_if(|start| *start <= at).is_some() {
                text.push('(');
            }
            text.extend(c);
        }
        text
    }

    fn statements(&mut self, all: &[Stmt<'_>]) {
        for statement in all {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt<'_>) {
        match statement {
            Stmt::Template(of) => self.statements(&of.children),
            Stmt::EmitExpr(of) => self.expression(&of.expr),
            Stmt::ForLoop(of) => {
                self.expression(&of.iter);
                self.optional(of.filter_expr.as_ref());
                self.statements(&of.body);
                self.statements(&of.else_body);
            }
            Stmt::IfCond(of) => {
                self.expression(&of.expr);
                self.statements(&of.true_body);
                self.statements(&of.false_body);
            }
            Stmt::WithBlock(of) => {
                of.assignments.iter().for_each(|(_, value)| self.expression(value));
                self.statements(&of.body);
            }
            Stmt::Set(of) => {
                self.expression(&of.expr);
                if matches!(of.target, Expr::GetAttr(_)) {
                    self.stored(&of.expr);
                }
            }
            Stmt::SetBlock(of) => {
                of.filter.iter().for_each(|filter| self.chain(filter));
                self.statements(&of.body);
            }
            Stmt::AutoEscape(of) => self.statements(&of.body),
            Stmt::FilterBlock(of) => {
                self.chain(&of.filter);
                self.statements(&of.body);
            }
            Stmt::Block(of) => self.statements(&of.body),
            Stmt::Macro(of) => {
                of.defaults.iter().for_each(|value| self.expression(value));
                self.statements(&of.body);
            }
            Stmt::CallBlock(of) => {
                self.call(&of.call);
                self.statements(&of.macro_decl.body);
            }
            Stmt::Do(of) => self.call(&of.call),
            Stmt::Include(of) => self.expression(&of.name),
            Stmt::EmitRaw(_)
            | Stmt::Import(_)
            | Stmt::FromImport(_)
            | Stmt::Extends(_)
            | Stmt::Continue(_)
            | Stmt::Break(_) => {}
        }
    }

    /// The value of an attribute of a namespace. A value without an extent holds nothing.
    fn stored(&mut self, value: &Expr<'_>) {
        if let Expr::IfExpr(of) = value {
            self.stored(&of.true_expr);
            of.false_expr.iter().for_each(|other| self.stored(other));
        } else if let Some(extent) = extent(value) {
            self.wrap(extent, STORED);
        }
    }

    fn optional(&mut self, expression: Option<&Expr<'_>>) {
        expression.into_iter().for_each(|expression| self.expression(expression));
    }

    fn expression(&mut self, expression: &Expr<'_>) {
        match expression {
            Expr::Var(_) | Expr::Const(_) => {}
            Expr::Slice(of) => {
                self.expression(&of.expr);
                [&of.start, &of.stop, &of.step].into_iter().for_each(|part| self.optional(part.as_ref()));
                // An index or a name may follow.
                if let Some((start, end)) = extent(expression) {
                    self.before.extend([start, start]);
                    self.after.push((end, ")|__filtered)"));
                }
            }
            Expr::UnaryOp(of) => self.expression(&of.expr),
            Expr::BinOp(of) => {
                self.expression(&of.left);
                self.expression(&of.right);
                match of.op {
                    BinOpKind::Mul => self.multiply(of, range(of.span())),
                    BinOpKind::Add | BinOpKind::Concat => self.wrap(range(of.span()), BOUNDED),
                    _ => {}
                }
            }
            Expr::Compare(of) => {
                self.expression(&of.expr);
                of.ops.iter().for_each(|op| self.expression(&op.expr));
            }
            Expr::IfExpr(of) => {
                self.expression(&of.test_expr);
                self.expression(&of.true_expr);
                self.optional(of.false_expr.as_ref());
            }
            Expr::Filter(of) => {
                self.optional(of.expr.as_ref());
                if let Some(extent) = of.expr.as_ref().and_then(extent) {
                    self.wrap(extent, FILTERED);
                }
                self.arguments(of.name, &of.args);
                self.after.push((of.span().end_offset as usize, "|__bounded"));
            }
            Expr::Test(of) => {
                self.expression(&of.expr);
                of.args.iter().for_each(|argument| self.expression(value_of(argument)));
            }
            Expr::GetAttr(of) => self.expression(&of.expr),
            Expr::GetItem(of) => {
                self.expression(&of.expr);
                self.expression(&of.subscript_expr);
            }
            Expr::Call(of) => self.call(of),
            Expr::List(of) => {
                of.items.iter().for_each(|item| self.expression(item));
                self.enclose(of.span());
            }
            Expr::Tuple(of) => {
                of.items.iter().for_each(|item| self.expression(item));
                // The parentheses of an expression, if any, stay around the measuring filter.
                if let [first, .., last] = of.items.as_slice()
                    && let (Some((start, _)), Some((_, end))) = (extent(first), extent(last))
                {
                    self.wrap((start, end), BOUNDED);
                }
            }
            Expr::Map(of) => {
                of.keys.iter().chain(&of.values).for_each(|part| self.expression(part));
                self.enclose(of.span());
            }
        }
    }

    fn call(&mut self, call: &Call<'_>) {
        self.expression(&call.expr);
        call.args.iter().for_each(|argument| self.expression(value_of(argument)));
    }

    /// Filters behind a block, which measures what it writes.
    fn chain(&mut self, filter: &Expr<'_>) {
        if let Expr::Filter(of) = filter {
            of.expr.iter().for_each(|inner| self.chain(inner));
            self.arguments(of.name, &of.args);
        }
    }

    /// The arguments of a filter besides its value. The argument of `default` can take the value's place.
    fn arguments(&mut self, filter: &str, arguments: &[CallArg<'_>]) {
        for argument in arguments {
            let value = value_of(argument);
            self.expression(value);
            let is_one = matches!(argument, CallArg::Pos(_) | CallArg::Kwarg(..));
            if is_one
                && !matches!(filter, "default" | "d")
                && let Some(extent) = extent(value)
            {
                self.wrap(extent, SMALL);
            }
        }
    }
}

/// The range of an expression in the source; `None` where it is true, false or a number, which do not grow.
fn extent(expression: &Expr<'_>) -> Option<(usize, usize)> {
    Some(match expression {
        Expr::Var(of) => range(of.span()),
        Expr::Const(of) => range(of.span()),
        Expr::BinOp(of) => range(of.span()),
        Expr::List(of) => range(of.span()),
        Expr::Map(of) => range(of.span()),
        Expr::Tuple(of) => range(of.span()),
        // Spans of what follows an expression begin behind it.
        Expr::Slice(of) => (extent(&of.expr)?.0, range(of.span()).1),
        Expr::IfExpr(of) => (extent(&of.true_expr)?.0, range(of.span()).1),
        Expr::GetAttr(of) => (extent(&of.expr)?.0, range(of.span()).1),
        Expr::GetItem(of) => (extent(&of.expr)?.0, range(of.span()).1),
        Expr::Call(of) => (extent(&of.expr)?.0, range(of.span()).1),
        Expr::Filter(of) => (extent(of.expr.as_ref()?)?.0, range(of.span()).1),
        Expr::UnaryOp(_) | Expr::Compare(_) | Expr::Test(_) => return None,
    })
}

/// The end of an expression in the source.
fn end_of(expression: &Expr<'_>) -> usize {
    match (extent(expression), expression) {
        (Some((_, end)), _) => end,
        (None, Expr::UnaryOp(of)) => end_of(&of.expr).max(range(of.span()).1),
        (None, Expr::Compare(of)) => range(of.span()).1,
        (None, Expr::Test(of)) => range(of.span()).1,
        (None, _) => 0,
    }
}

fn range(span: Span) -> (usize, usize) {
    (span.start_offset as usize, span.end_offset as usize)
}

fn value_of<'a, 's>(argument: &'a CallArg<'s>) -> &'a Expr<'s> {
    match argument {
        CallArg::Pos(value) | CallArg::Kwarg(_, value) | CallArg::PosSplat(value) | CallArg::KwargSplat(value) => value,
    }
}
