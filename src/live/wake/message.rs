//! Words as they travel: the node that says it on the first line, then a group and the number of its
//! last event on each line, and a `*` when other people are there than before.

use std::collections::HashMap;

use crate::domain::Guid;
use crate::store::Notify;

/// What a node told.
#[derive(Debug, PartialEq, Eq)]
pub struct WakeMessage<'w> {
    /// Who told it.
    pub node: &'w str,
    /// Groups with their last event.
    pub heads: Vec<(Guid, u64)>,
    /// Whether other people are there than before.
    pub presence: bool,
}

impl<'w> WakeMessage<'w> {
    /// What there is to tell, in words that every carrier can carry.
    pub fn all(node: &str, heads: HashMap<Guid, u64>, presence: bool) -> Vec<String> {
        let mut messages = Vec::new();
        let mut message = node.to_owned();
        if presence {
            message.push_str("\n*");
        }
        for (guid, seq) in heads {
            let line = format!("\n{guid} {seq}");
            if message.len() + line.len() > Notify::LONGEST {
                messages.push(std::mem::replace(&mut message, node.to_owned()));
            }
            message.push_str(&line);
        }
        if message.len() > node.len() {
            messages.push(message);
        }
        messages
    }

    /// Reads a word; `None` when it says nothing. Lines that mean nothing to this version are left out.
    pub fn read(text: &'w str) -> Option<WakeMessage<'w>> {
        let (node, lines) = text.split_once('\n')?;
        let mut message = WakeMessage { node, heads: Vec::new(), presence: false };
        for line in lines.lines() {
            match line.split_once(' ') {
                Some((guid, seq)) => message.heads.extend(guid.parse().ok().zip(seq.parse().ok())),
                None => message.presence |= line == "*",
            }
        }
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_heard() {
        let heads = HashMap::from([("den".parse().unwrap(), 7)]);
        let messages = WakeMessage::all("n1", heads, true);
        assert_eq!(messages, ["n1\n*\nden 7"]);
        let heard = WakeMessage { node: "n1", heads: vec![("den".parse().unwrap(), 7)], presence: true };
        assert_eq!(WakeMessage::read(&messages[0]), Some(heard));
    }

    #[test]
    fn many_groups_take_several_words() {
        let heads: HashMap<Guid, u64> = (0..2000).map(|n| (format!("group-{n}").parse().unwrap(), n)).collect();
        let messages = WakeMessage::all("n1", heads.clone(), false);
        assert!(messages.iter().all(|message| message.len() <= Notify::LONGEST), "each fits");
        let heard: HashMap<Guid, u64> =
            messages.iter().flat_map(|message| WakeMessage::read(message).unwrap().heads).collect();
        assert_eq!(heard, heads);
    }

    #[test]
    fn what_makes_no_sense_says_nothing() {
        for text in ["", "n1", "n1\n", "n1\nden", "n1\nden x", "n1\n? 3", "\0"] {
            assert!(
                WakeMessage::read(text).is_none_or(|message| message.heads.is_empty() && !message.presence),
                "{text:?}"
            );
        }
    }
}
