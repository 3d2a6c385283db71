/** SQLite in a worker: its files in OPFS, by the pool of handles that needs no special headers. */
import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import { ROWS, type Doc, type Filter, type Row } from './peer.ts'

/** A call, and its answer under the same id. */
export type SqliteCall = { id: number } & (
  | { kind: 'fill'; docs: readonly Doc[] }
  | { kind: 'first'; from: string }
  | { kind: 'search'; filter: Filter }
  | { kind: 'write'; key: string; locationName: string }
)
export interface SqliteAnswer {
  id: number
  rows: Row[]
  count: number
}

async function openFile() {
  const sqlite = await sqlite3InitModule()
  const pool = await sqlite.installOpfsSAHPoolVfs({})
  return new pool.OpfsSAHPoolDb('/peer.sqlite3')
}
const opening = openFile()

addEventListener('message', ({ data }: MessageEvent<SqliteCall>) => {
  void opening.then((db) => postMessage(answer(db, data)))
})

type Db = Awaited<typeof opening>

function answer(db: Db, call: SqliteCall): SqliteAnswer {
  const rowsOf = (sql: string, bind: string[]) =>
    db.exec({ sql, bind, rowMode: 'object', returnValue: 'resultRows' }) as unknown as Row[]
  const { id } = call
  if (call.kind === 'first')
    return {
      id,
      rows: rowsOf(`select key, locationName from docs where sortKey >= ? order by sortKey limit ${ROWS}`, [
        call.from,
      ]),
      count: 0,
    }
  if (call.kind === 'search') {
    const { place, flags } = call.filter
    const where = `where instr(locationName, ?) > 0 and orderFlag in (${flags.map(() => '?').join()})`
    const bind = [place, ...flags]
    const rows = rowsOf(`select key, locationName from docs ${where} order by sortKey limit ${ROWS}`, bind)
    const count = Number(db.selectValue(`select count(*) from docs ${where}`, bind))
    return { id, rows, count }
  }
  if (call.kind === 'write')
    db.exec({
      sql: `update docs set locationName = ?1, json = json_set(json, '$.locationName', ?1) where key = ?2`,
      bind: [call.locationName, call.key],
    })
  else fill(db, call.docs)
  return { id, rows: [], count: 0 }
}

function fill(db: Db, docs: readonly Doc[]): void {
  db.exec(
    'create table docs (key text primary key, sortKey text, locationName text, orderFlag text, json text)',
  )
  db.exec('create index bySortKey on docs (sortKey)')
  db.transaction(() => {
    const insert = db.prepare('insert into docs values (?, ?, ?, ?, ?)')
    for (const doc of docs)
      insert
        .bind([doc.key, doc.sortKey, doc.locationName, doc.orderFlag ?? '', JSON.stringify(doc)])
        .stepReset()
    insert.finalize()
  })
}
