//! PostgreSQL: every group that is acted on has a lane, in which acts wait for each other here rather
//! than at the group's row, share commits, and are told in the order of commits. Lanes run beside each
//! other; a transaction of one lane holds the lock of one group, so that lanes and nodes cannot wait
//! for each other in a circle.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::db::{Connection, Limited};
use super::error::StoreError;
use super::job::{Batch, Committed, Job, PATIENCE, QUEUE, Settle};
use super::primary::{Health, Primary};
use super::session::{Session, within};
use super::tx::Tx;
use crate::clock::Clock;
use crate::domain::Guid;

/// How many acts share a commit at most: bounds how long a group is locked.
const BATCH: usize = 64;
/// How long a commit is waited for: it may wait for a standby.
const COMMIT: Duration = Duration::from_secs(5);
/// A job that was in vain for so long met with something that others will meet with as well.
const IN_VAIN: Duration = Duration::from_secs(2);
/// How long a savepoint is.
const SAVEPOINT: Duration = Duration::from_secs(2);

/// Runs acts, those on one group one after the other.
#[derive(Clone)]
pub(super) struct Lanes {
    primary: Primary,
    clock: Clock,
    settle: Settle,
    places: Arc<Semaphore>,
    /// A lane is here as long as its task runs.
    waiting: Arc<Mutex<HashMap<Guid, VecDeque<Waiting>>>>,
}

/// The lane does not move.
struct Stuck;

/// A job in its lane, with the place it takes.
type Waiting = (Job, OwnedSemaphorePermit);

impl Lanes {
    pub(super) fn new(primary: Primary, clock: Clock, committed: Arc<OnceLock<Committed>>) -> Lanes {
        let places = Arc::new(Semaphore::new(QUEUE));
        Lanes { primary, clock, settle: Settle::new(committed), places, waiting: Arc::default() }
    }

    /// Whether acts are taken, as far as is known.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.primary.check(Health::Up)
    }

    /// Puts a job into its lane, in a task of its own; `None` when too many wait already.
    pub(super) async fn begin(&self, group: Option<&Guid>, job: Job) -> Option<()> {
        let place = timeout(PATIENCE, self.places.clone().acquire_owned()).await.ok()?.ok()?;
        let Some(guid) = group else {
            let lanes = self.clone();
            tokio::spawn(async move { lanes.run(vec![(job, place)]).await });
            return Some(());
        };
        let mut waiting = self.waiting();
        match waiting.get_mut(guid) {
            Some(lane) => lane.push_back((job, place)),
            None => {
                waiting.insert(guid.clone(), VecDeque::from([(job, place)]));
                tokio::spawn(self.clone().run_lane(guid.clone()));
            }
        }
        Some(())
    }

    async fn run_lane(self, guid: Guid) {
        while let Some(batch) = self.next(&guid) {
            if self.run(batch).await.is_err() {
                self.clear(&guid);
            }
        }
    }

    /// Has nobody wait one after the other for what the first of them waited for in vain.
    fn clear(&self, guid: &Guid) {
        let waited = self.waiting().get_mut(guid).map(std::mem::take);
        drop(waited);
    }

    /// The jobs that wait in a lane; closes it when there are none.
    fn next(&self, guid: &Guid) -> Option<Vec<Waiting>> {
        let mut waiting = self.waiting();
        let lane = waiting.get_mut(guid)?;
        let batch: Vec<Waiting> = lane.drain(..lane.len().min(BATCH)).collect();
        if batch.is_empty() {
            waiting.remove(guid);
            return None;
        }
        Some(batch)
    }

    /// Answers these jobs; an error says that others of this lane would fare no better now.
    async fn run(&self, jobs: Vec<Waiting>) -> Result<(), Stuck> {
        let (mut batch, begun) = (Batch::default(), Instant::now());
        let ended = tokio::select! {
            ended = self.carry_out(jobs, &mut batch) => ended,
            () = self.primary.lost() => Err(StoreError::Away),
        };
        match ended {
            Ok(moves) => {
                self.settle.done(batch);
                moves
            }
            Err(error) => {
                self.primary.look();
                self.settle.failed(batch, &error);
                if begun.elapsed() < IN_VAIN { Ok(()) } else { Err(Stuck) }
            }
        }
    }

    /// One transaction. What a job wrote and takes back is rolled back to its savepoint. After one that
    /// was in vain for long the rest is not begun.
    async fn carry_out(&self, jobs: Vec<Waiting>, batch: &mut Batch) -> Result<Result<(), Stuck>, StoreError> {
        let mut session = self.primary.write().await?;
        let (shared, mut moves) = (jobs.len() > 1, Ok(()));
        for (job, _place) in jobs {
            if shared {
                within(SAVEPOINT, sqlx::query("SAVEPOINT act").execute(session.connection())).await?;
            }
            let mut tx = Tx::new(Connection::Postgres(Limited::writing(session.connection())), self.clock.now());
            let begun = Instant::now();
            let ran = (job.0)(&mut tx).await;
            let (keep, appended) = (ran.keep, tx.into_logged());
            batch.note(ran, appended);
            if shared && !keep {
                within(SAVEPOINT, sqlx::query("ROLLBACK TO SAVEPOINT act").execute(session.connection())).await?;
            }
            if !keep && begun.elapsed() >= IN_VAIN {
                moves = Err(Stuck);
                break;
            }
        }
        // A refusal is right whether or not the connection lives.
        if batch.wrote() {
            self.commit(session, batch).await?;
        }
        Ok(moves)
    }

    async fn commit(&self, session: Session, batch: &mut Batch) -> Result<(), StoreError> {
        batch.committing = true;
        match timeout(COMMIT, session.commit()).await {
            Ok(committed) => Ok(committed.inspect_err(|error| batch.committing = may_be_committed(error))?),
            Err(_) => {
                self.primary.doubt_commits();
                Err(StoreError::Unavailable("a commit was not answered".into()))
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Guid, VecDeque<Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a transaction whose commit ended with this may be committed nevertheless. A server that
/// lives and says that it is not knows.
fn may_be_committed(error: &sqlx::Error) -> bool {
    let said = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    said.is_none_or(|error| error.severity() != PgSeverity::Error)
}
