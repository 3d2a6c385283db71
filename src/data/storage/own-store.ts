/** RxDB's own account of a database's collections: names, schemas, and no content. */
export const RXDB_INTERNAL = '_rxdb_internal'
