//! A table with its columns, the statements that are composed from them, and the macros that declare both.

use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;

use super::query::placeholders;

/// A table and its columns.
pub(in crate::store) struct Table {
    pub(in crate::store) name: &'static str,
    /// The columns of the primary key. Both databases sort by them alike: ids compare bytewise.
    pub(in crate::store) key: &'static [&'static str],
    /// The other columns.
    pub(in crate::store) values: &'static [&'static str],
}

/// A row to be written.
pub(in crate::store) trait TableRow {
    /// Adds the value of each column, in the order of the table's list.
    ///
    /// # Errors
    /// When a value cannot be encoded.
    fn add_to_sqlite(self, arguments: &mut SqliteArguments) -> Result<(), BoxDynError>;

    /// The same for PostgreSQL.
    ///
    /// # Errors
    /// When a value cannot be encoded.
    fn add_to_postgres(self, arguments: &mut PgArguments) -> Result<(), BoxDynError>;
}

/// How an upsert treats a column of a stored row, unless it takes the new value.
pub(in crate::store) enum OnConflict {
    /// It keeps the stored value.
    Keep,
    /// It sets this expression, in which `excluded` is the new row.
    Set(&'static str),
}

/// Declares a table, and the struct of a row to be written to it.
macro_rules! table {
    (
        $(#[$doc:meta])*
        $table:ident = $name:literal, $row:ident<$lifetime:lifetime> {
            key { $($key:ident: $key_type:ty,)+ }
            values { $($value:ident: $value_type:ty,)+ }
        }
    ) => {
        $(#[$doc])*
        pub(in crate::store) const $table: $crate::store::sql::table::Table =
            $crate::store::sql::table::Table { name: $name, key: &[$(stringify!($key)),+], values: &[$(stringify!($value)),+] };

        #[doc = concat!("A row of `", $name, "` to be written.")]
        pub(in crate::store) struct $row<$lifetime> {
            $(pub(in crate::store) $key: $key_type,)+
            $(pub(in crate::store) $value: $value_type,)+
        }

        impl $crate::store::sql::table::TableRow for $row<'_> {
            fn add_to_sqlite(self, arguments: &mut sqlx::sqlite::SqliteArguments) -> Result<(), sqlx::error::BoxDynError> {
                use sqlx::Arguments as _;
                $(arguments.add(self.$key)?;)+
                $(arguments.add(self.$value)?;)+
                Ok(())
            }

            fn add_to_postgres(self, arguments: &mut sqlx::postgres::PgArguments) -> Result<(), sqlx::error::BoxDynError> {
                use sqlx::Arguments as _;
                $(arguments.add(self.$key)?;)+
                $(arguments.add(self.$value)?;)+
                Ok(())
            }
        }
    };
}

/// Declares the struct of selected columns, and the list that selects them.
macro_rules! selected {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident { $($column_vis:vis $column:ident: $type:ty,)+ }
    ) => {
        $(#[$doc])*
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $($column_vis $column: $type,)+
        }

        impl $name {
            /// The select list: these columns of the table or alias `of`.
            $vis fn columns(of: &str) -> String {
                $crate::store::sql::table::select_list(of, &[$(stringify!($column)),+])
            }
        }
    };
}

pub(in crate::store) use {selected, table};

impl Table {
    /// Its columns, separated by commas.
    pub(in crate::store) fn column_list(&self) -> String {
        join(self.key.iter().chain(self.values).map(|column| bare(column)))
    }

    /// A statement that inserts `rows` rows, with bare placeholders.
    pub(in crate::store) fn insert(&self, rows: usize) -> String {
        let columns = self.key.len() + self.values.len();
        format!("INSERT INTO {} ({}) VALUES {}", self.name, self.column_list(), placeholders(rows, columns))
    }

    /// A statement that inserts `rows` rows. In a stored row it overwrites all columns but the key,
    /// except as `exceptions` say.
    pub(in crate::store) fn upsert(&self, rows: usize, exceptions: &[(&str, OnConflict)]) -> String {
        let is_value = |name: &str| self.values.iter().any(|column| bare(column) == name);
        debug_assert!(exceptions.iter().all(|(name, _)| is_value(name)), "exceptions name columns");
        let assignments = self.values.iter().map(|column| bare(column)).filter_map(|column| {
            match exceptions.iter().find(|(name, _)| *name == column) {
                Some((_, OnConflict::Keep)) => None,
                Some((_, OnConflict::Set(expression))) => Some(format!("{column} = {expression}")),
                None => Some(format!("{column} = excluded.{column}")),
            }
        });
        format!("{} ON CONFLICT ({}) DO UPDATE SET {}", self.insert(rows), self.key_list(), join(assignments))
    }

    /// The columns of its key, separated by commas.
    pub(in crate::store) fn key_list(&self) -> String {
        join(self.key.iter().map(|column| bare(column)))
    }
}

/// These columns of the table or alias `of`, separated by commas.
pub(in crate::store) fn select_list(of: &str, columns: &[&str]) -> String {
    join(columns.iter().map(|column| format!("{of}.{}", bare(column))))
}

/// The name of a column whose field is a raw identifier.
fn bare(field: &str) -> &str {
    field.trim_start_matches("r#")
}

fn join<T: AsRef<str>>(columns: impl Iterator<Item = T>) -> String {
    let mut list = String::new();
    for column in columns {
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(column.as_ref());
    }
    list
}
