/** RxDB's list of a database's collections: names and schemas, no user data. */
export const RXDB_INTERNAL = '_rxdb_internal'
