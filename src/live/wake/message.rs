//! The wire form of a wake message: the sending node on the first line, then on each line a group and the
//! number of its last event, a `*` when presence changed, or a `!`
//! when somebody was logged out or erased. Other versions read it: it is pinned by tests.

use std::collections::HashMap;

use crate::domain::Guid;
use crate::store::PgNotifications;

/// A message from one node to the others.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::live) struct WakeMessage<'w> {
    /// The sending node.
    pub node: &'w str,
    /// Groups with their last event.
    pub heads: Vec<(Guid, u64)>,
    /// Whether presence changed.
    pub presence: bool,
    /// Whether somebody was logged out or erased.
    pub people: bool,
}

impl<'w> WakeMessage<'w> {
    /// All of this in messages short enough for every transport.
    pub(in crate::live) fn encode(node: &str, heads: HashMap<Guid, u64>, presence: bool, people: bool) -> Vec<String> {
        let mut messages = Vec::new();
        let mut message = node.to_owned();
        if presence {
            message.push_str("\n*");
        }
        if people {
            message.push_str("\n!");
        }
        for (guid, seq) in heads {
            let line = format!("\n{guid} {seq}");
            if message.len() + line.len() > PgNotifications::MAX_PAYLOAD {
                messages.push(std::mem::replace(&mut message, node.to_owned()));
            }
            message.push_str(&line);
        }
        if message.len() > node.len() {
            messages.push(message);
        }
        messages
    }

    /// Reads a message; `None` when it is empty. Lines unknown to this version are ignored.
    pub(in crate::live) fn decode(text: &'w str) -> Option<WakeMessage<'w>> {
        let (node, lines) = text.split_once('\n')?;
        let mut message = WakeMessage { node, heads: Vec::new(), presence: false, people: false };
        for line in lines.lines() {
            match line.split_once(' ') {
                Some((guid, seq)) => message.heads.extend(guid.parse().ok().zip(seq.parse().ok())),
                None => {
                    message.presence |= line == "*";
                    message.people |= line == "!";
                }
            }
        }
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let heads = HashMap::from([("den".parse().unwrap(), 7)]);
        let messages = WakeMessage::encode("n1", heads, true, true);
        assert_eq!(messages, ["n1\n*\n!\nden 7"]);
        let read = WakeMessage { node: "n1", heads: vec![("den".parse().unwrap(), 7)], presence: true, people: true };
        assert_eq!(WakeMessage::decode(&messages[0]), Some(read));
    }

    #[test]
    fn many_groups_take_several_messages() {
        let heads: HashMap<Guid, u64> = (0..2000).map(|n| (format!("group-{n}").parse().unwrap(), n)).collect();
        let messages = WakeMessage::encode("n1", heads.clone(), false, false);
        assert!(messages.iter().all(|message| message.len() <= PgNotifications::MAX_PAYLOAD), "each fits");
        let read: HashMap<Guid, u64> =
            messages.iter().flat_map(|message| WakeMessage::decode(message).unwrap().heads).collect();
        assert_eq!(read, heads);
    }

    #[test]
    fn what_makes_no_sense_says_nothing() {
        for text in ["", "n1", "n1\n", "n1\nden", "n1\nden x", "n1\n? 3", "\0"] {
            assert!(
                WakeMessage::decode(text)
                    .is_none_or(|message| message.heads.is_empty() && !message.presence && !message.people),
                "{text:?}"
            );
        }
    }
}
