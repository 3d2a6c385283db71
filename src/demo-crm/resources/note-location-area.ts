/** Notes about a location area: every request there shows them, whose ever it is (crm-contract 4). */
import { type } from 'arktype'
import { NOTE_MAX } from '#schemas/limits.ts'
import { given, maybe, parseBody, text } from '../body.ts'
import { created, done, notFound, ok, page, type Handler, type Route } from '../call.ts'
import { folderNamed } from '../folders.ts'
import { newId, type NoteRow } from '../rows.ts'
import { displayName } from '../seed/people.ts'
import { tokyoTime } from '../tokyo-day.ts'
import { visitFor } from '../visit-view.ts'
import type { World } from '../world.ts'

const folderOf = (areaId: string) => `nf-${areaId}`

/** A seeded note tells no request of its own, so the one it is read through stands for it. */
function viewOf(world: World, row: NoteRow, requestId: string) {
  const { origin: _, ...fields } = row
  const noteLocationFolderId = folderOf(row.locationAreaId)
  return {
    ...fields,
    requestId: row.requestId || requestId,
    createdDisplayName: displayName(row.loginUserId),
    filePath: folderNamed(world, noteLocationFolderId, row.name)?.id ?? null,
    noteLocationFolderId,
  }
}

const newBody = type({ requestId: given, note: text(NOTE_MAX), 'loginUserId?': maybe })

/** A note made through the app gets type 1. */
export function addNote(world: World, requestId: string, note: string, loginUserId: string): NoteRow | null {
  const visit = visitFor(world, requestId, null)
  if (!visit) return null
  const id = newId('nt', visit.area.id)
  const row: NoteRow = {
    id,
    requestId,
    locationAreaId: visit.area.id,
    type: '1',
    openFlag: '1',
    note,
    createdAt: tokyoTime(world.now),
    name: `現場メモ_${visit.area.id}_${id.slice(-13)}`,
    loginUserId,
    origin: 'call',
  }
  world.table('notes').put(id, row)
  return row
}

const create: Handler = ({ text: sent }, world) => {
  const body = parseBody(newBody, sent)
  if (body.kind === 'refused') return body.answer
  const { requestId, note, loginUserId } = body.value
  const row = addNote(world, requestId, note, loginUserId ?? '')
  if (!row) return notFound
  return created({ id: row.id, name: row.name, noteLocationFolderId: folderOf(row.locationAreaId) })
}

const changeBody = type({ note: text(NOTE_MAX), 'loginUserId?': maybe })

/** Who wrote the note stays its author. */
const update: Handler = ({ params: [id = ''], text: sent }, world) => {
  const body = parseBody(changeBody, sent)
  if (body.kind === 'refused') return body.answer
  const old = world.table('notes').get(id)
  if (!old) return notFound
  world.table('notes').put(id, { ...old, note: body.value.note, origin: 'call' })
  return done
}

const read: Handler = ({ params: [id = ''] }, world) => {
  const row = world.table('notes').get(id)
  return row ? ok(viewOf(world, row, '')) : notFound
}

const newest = (a: NoteRow, b: NoteRow) =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1)

const list: Handler = ({ params: [requestId = ''], query }, world) => {
  const visit = visitFor(world, requestId, null)
  if (!visit) return notFound
  const kind = query.get('type')
  const rows = world
    .table('notes')
    .of(visit.area.id)
    .filter((row) => !kind || row.type === kind)
    .toSorted(newest)
  return page(rows, query, (row) => viewOf(world, row, requestId))
}

export const noteLocationAreaRoutes: Route[] = [
  { method: 'POST', path: 'noteLocationArea', handle: create },
  { method: 'GET', path: 'noteLocationArea/request/:id', handle: list },
  { method: 'GET', path: 'noteLocationArea/:id', handle: read },
  { method: 'PUT', path: 'noteLocationArea/:id', handle: update },
]
