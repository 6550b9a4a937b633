use super::record::GRACE;
use super::*;

const ONLINE: HostReport = HostReport { status: Status::Online, until: None };

fn ada() -> Uid {
    "ada".parse().unwrap()
}

fn changes_of(presences: &Presences) -> Vec<Status> {
    presences.changes().into_iter().map(|(_, presence)| presence.status).collect()
}

#[test]
fn somebody_who_reloads_the_page_never_goes() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    let first = presences.track_stream(&ada());
    assert_eq!(changes_of(&presences), [Status::Online]);
    drop(first);
    clock.advance(2_000);
    let _second = presences.track_stream(&ada());
    clock.advance(60_000);
    assert_eq!(changes_of(&presences), []);
}

#[test]
fn of_two_tabs_one_closes_and_they_are_still_there() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    let (one, _two) = (presences.track_stream(&ada()), presences.track_stream(&ada()));
    presences.changes();
    drop(one);
    clock.advance(AWAY * 2);
    assert_eq!(changes_of(&presences), []);
}

#[test]
fn somebody_who_goes_is_away_then_offline_then_forgotten() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    drop(presences.track_stream(&ada()));
    assert_eq!(changes_of(&presences), [Status::Online]);
    clock.advance(GRACE + 1);
    assert_eq!(changes_of(&presences), [Status::Away]);
    clock.advance(AWAY);
    assert_eq!(changes_of(&presences), [Status::Offline]);
    assert_eq!(presences.all(), []);
}

#[test]
fn the_host_says_who_is_there() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    presences.set_host_report(&ada(), ONLINE);
    assert_eq!(changes_of(&presences), [Status::Online]);
    presences.close_host_report(&ada());
    assert_eq!(changes_of(&presences), [Status::Away]);
    presences.set_host_report(&ada(), HostReport { status: Status::Offline, until: None });
    assert_eq!(changes_of(&presences), [Status::Offline], "at once");
}

#[test]
fn what_the_host_says_ends_by_itself_and_the_most_present_counts() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    let until = Some(clock.now() + 60_000);
    presences.set_host_report(&ada(), HostReport { status: Status::Away, until });
    assert_eq!(changes_of(&presences), [Status::Away]);
    let stream = presences.track_stream(&ada());
    assert_eq!(changes_of(&presences), [Status::Online], "a stream is more than away");
    presences.set_host_report(&ada(), HostReport { status: Status::Online, until });
    drop(stream);
    clock.advance(GRACE + 1);
    assert_eq!(changes_of(&presences), [], "online by the host");
    clock.advance(60_000);
    assert_eq!(changes_of(&presences), [Status::Away], "the stream closed a minute ago");
    presences.set_host_report(&ada(), HostReport { status: Status::Online, until: Some(clock.now() + AWAY) });
    assert_eq!(changes_of(&presences), [Status::Online]);
    clock.advance(AWAY);
    assert_eq!(changes_of(&presences), [Status::Offline], "no grace after its end");
    assert_eq!(presences.all(), []);
}

#[test]
fn somebody_who_is_forgotten_is_forgotten_by_the_other_nodes_as_well() {
    let presences = Presences::new(Clock::default(), true);
    let stream = presences.track_stream(&ada());
    presences.set_host_report(&ada(), ONLINE);
    presences.take_unsynced(Source::HERE);
    presences.take_unsynced(Source::HOST);
    presences.forget(&ada());
    assert_eq!(presences.all(), []);
    for source in [Source::HERE, Source::HOST] {
        let unsynced = presences.take_unsynced(source);
        assert_eq!(unsynced.iter().map(|entry| (entry.open, entry.closed_at)).collect::<Vec<_>>(), [(false, 0)]);
    }
    drop(stream);
    assert_eq!(presences.take_unsynced(Source::HERE), []);
}

#[test]
fn somebody_who_is_deleted_is_forgotten_by_the_node_that_has_their_streams() {
    let clock = Clock::default();
    let (here, there) = (Presences::new(clock.clone(), true), Presences::new(clock, true));
    let dee: Uid = "dee".parse().unwrap();
    let (gone, staying) = (here.track_stream(&ada()), here.track_stream(&dee));
    drop(gone);
    assert_eq!(changes_of(&here), [Status::Online, Status::Online]);
    let written = || {
        let entries = here.take_unsynced(Source::HERE).into_iter();
        entries.map(|entry| (entry.uid, entry.open, entry.closed_at)).collect::<Vec<_>>()
    };
    written();

    for uid in [ada(), dee.clone()] {
        there.forget_deleted(&uid);
    }
    let unwritten = there.take_unsynced(Source::HOST);
    assert_eq!(unwritten.len(), 2, "though nothing was known there");
    there.requeue(Source::HOST, unwritten);
    here.merge(Source::HOST, there.take_unsynced(Source::HOST));
    assert_eq!(written(), [(ada(), false, 0)]);
    let offline: Vec<Uid> = here.changes().into_iter().map(|(uid, _)| uid).collect();
    assert_eq!(offline, [ada()], "whose stream had closed");

    drop(staying);
    assert_eq!(changes_of(&here), [Status::Offline], "at once, as soon as the stream closes");
    assert_eq!(written(), [(dee.clone(), false, 0)]);
    drop(here.track_stream(&dee));
    assert_eq!(changes_of(&here), [Status::Online], "whoever has the id now");
}

#[test]
fn what_the_host_reports_of_somebody_who_has_the_id_of_a_deleted_one_holds() {
    let clock = Clock::default();
    let (here, there) = (Presences::new(clock.clone(), true), Presences::new(clock, true));
    drop(here.track_stream(&ada()));
    there.forget_deleted(&ada());
    there.set_host_report(&ada(), HostReport { status: Status::Away, until: None });
    here.merge(Source::HOST, there.take_unsynced(Source::HOST));
    assert_eq!(changes_of(&here), [Status::Away], "and the stream of the other is forgotten");
    assert!(here.entries_of(Source::HOST)[0].open);
}

#[test]
fn somebody_with_tabs_on_two_nodes_is_one_person() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    let there =
        |open, closed_at| vec![NodePresence { uid: ada(), open, away: false, until: None, closed_at, reported_at: 0 }];
    let here = presences.track_stream(&ada());
    presences.merge(Source(2), there(true, 0));
    assert_eq!(changes_of(&presences), [Status::Online]);
    drop(here);
    clock.advance(AWAY * 2);
    assert_eq!(changes_of(&presences), [], "the other tab is open");
    presences.merge(Source(2), there(false, clock.now()));
    clock.advance(GRACE + 1);
    assert_eq!(changes_of(&presences), [Status::Away]);
}

#[test]
fn somebody_who_moves_from_node_to_node_is_sent_again_though_nothing_changed() {
    let presences = Presences::new(Clock::default(), true);
    let there = |open| vec![NodePresence { uid: ada(), open, away: false, until: None, closed_at: 0, reported_at: 0 }];
    presences.merge(Source(2), there(true));
    assert_eq!(changes_of(&presences), [Status::Online]);
    assert_eq!(presences.take_unsettled(), [ada()].into());
    let _here = presences.track_stream(&ada());
    assert_eq!(changes_of(&presences), []);
    assert_eq!(presences.take_unsettled(), [ada()].into(), "the other node may not have heard of it yet");
    presences.merge(Source(2), there(false));
    assert_eq!(changes_of(&presences), []);
    assert_eq!(presences.take_unsettled(), [ada()].into());
    assert!(presences.take_unsettled().is_empty(), "once");
}

#[test]
fn when_a_node_dies_its_people_are_offline_and_those_who_came_elsewhere_are_not() {
    let clock = Clock::default();
    let presences = Presences::new(clock.clone(), true);
    let dee: Uid = "dee".parse().unwrap();
    let open = |uid: Uid| NodePresence { uid, open: true, away: false, until: None, closed_at: 0, reported_at: 0 };
    presences.merge(Source(2), vec![open(ada()), open(dee.clone())]);
    let _dee = presences.track_stream(&dee);
    assert_eq!(changes_of(&presences).len(), 2);
    presences.drop_source(Source(2));
    let changes = presences.changes();
    assert_eq!(changes.len(), 1, "once");
    assert_eq!((&changes[0].0, changes[0].1.status), (&ada(), Status::Offline));
    assert_eq!(changes_of(&presences), []);
}

#[test]
fn what_the_host_says_while_its_last_word_is_passed_on_is_not_lost_when_that_is_read_back() {
    let presences = Presences::new(Clock::default(), true);
    presences.set_host_report(&ada(), ONLINE);
    let passed_on = presences.take_unsynced(Source::HOST);
    presences.close_host_report(&ada());
    presences.merge(Source::HOST, passed_on);
    assert_eq!(changes_of(&presences), [Status::Away]);
    assert!(!presences.take_unsynced(Source::HOST)[0].open, "and the others get that");
}

#[test]
fn what_the_host_said_last_counts_on_every_node_whichever_node_writes_first() {
    let clock = Clock::default();
    let [one, other] = [0, 1].map(|_| Presences::new(clock.clone(), true));
    one.set_host_report(&ada(), HostReport { status: Status::Away, until: None });
    clock.advance(50);
    other.set_host_report(&ada(), ONLINE);
    // The first node reads what the second has written before it has written its own.
    one.merge(Source::HOST, other.take_unsynced(Source::HOST));
    assert_eq!(changes_of(&one), [Status::Online]);
    assert_eq!(one.take_unsynced(Source::HOST), [], "nor does it write what is no longer so");
    clock.advance(-3_600_000);
    one.set_host_report(&ada(), HostReport { status: Status::Away, until: None });
    one.merge(Source::HOST, other.entries_of(Source::HOST));
    assert_eq!(changes_of(&one), [Status::Away], "also where the clock went back");
    other.merge(Source::HOST, one.take_unsynced(Source::HOST));
    assert_eq!(changes_of(&other), [Status::Away]);
}

#[test]
fn what_changed_is_written_once_for_the_other_nodes() {
    let presences = Presences::new(Clock::default(), true);
    let one = presences.track_stream(&ada());
    let _two = presences.track_stream(&ada());
    let unsynced = presences.take_unsynced(Source::HERE);
    assert_eq!(unsynced.iter().map(|entry| entry.open).collect::<Vec<_>>(), [true]);
    drop(one);
    assert_eq!(presences.take_unsynced(Source::HERE), [], "still there");
    presences.requeue(Source::HERE, unsynced);
    assert_eq!(presences.take_unsynced(Source::HERE).len(), 1, "it could not be written");
}
