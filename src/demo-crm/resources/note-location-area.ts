/** Notes on a location area. All requests of the area show them (crm-contract 4). */
import { type } from 'arktype'
import { NOTE_MAX } from '#schemas/limits.ts'
import { field, page, reads, reply, withBody, type Handler, type Route } from '#demo-crm/world/call.ts'
import { type World, folderNamed, newId } from '#demo-crm/world/world.ts'
import { hash, pick } from '../seed/hash.ts'
import { areas } from '../seed/locations.ts'
import { displayName, others, staffIdOf, users } from '../seed/people.ts'
import { addDays, atTime, previousMonth, tokyoDay, tokyoTime } from '#demo-crm/seed/tokyo-day.ts'
import { visitFor } from '#demo-crm/world/visit-view.ts'

const newBody = type({ requestId: field.given, note: field.text(NOTE_MAX), loginUserId: field.user })

type NoteRow = typeof newBody.infer &
  Record<'id' | 'locationAreaId' | 'type' | 'openFlag' | 'createdAt' | 'name', string>
declare module '#demo-crm/world/world.ts' {
  interface RecordRows {
    notes: NoteRow
  }
}

const folderOf = (areaId: string) => `nf-${areaId}`

/** @param requestId request whose notes are read. A seeded note belongs to no request and gets this id */
function viewOf(world: World, row: NoteRow, requestId: string) {
  const noteLocationFolderId = folderOf(row.locationAreaId)
  return {
    ...row,
    requestId: row.requestId || requestId,
    createdDisplayName: displayName(row.loginUserId),
    filePath: folderNamed(world, noteLocationFolderId, row.name)?.id ?? null,
    noteLocationFolderId,
  }
}

/** Adds a note of type 1, the type of all notes that the app writes. */
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
  }
  world.table('notes').put(id, row)
  return row
}

const create = withBody(newBody, ({ requestId, note, loginUserId }, _, world) => {
  const row = addNote(world, requestId, note, loginUserId)
  if (!row) return reply.notFound
  return reply.created({ id: row.id, name: row.name, noteLocationFolderId: folderOf(row.locationAreaId) })
})

const update = withBody(newBody.omit('requestId'), ({ note }, { params: [id = ''] }, world) => {
  const old = world.table('notes').get(id)
  if (!old) return reply.notFound
  world.table('notes').put(id, { ...old, note })
  return reply.noContent
})

const newest = (a: NoteRow, b: NoteRow) =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1)

const list: Handler = ({ params: [requestId = ''], query }, world) => {
  const visit = visitFor(world, requestId, null)
  if (!visit) return reply.notFound
  const kind = query.get('type')
  const rows = world
    .table('notes')
    .of(visit.area.id)
    .filter((row) => !kind || row.type === kind)
    .toSorted(newest)
  return page(rows, query, (row) => viewOf(world, row, requestId))
}

const texts = [
  'ピットのふたは2枚とも重い（約40kg）。2人で開けてください。手前のふたは右側から持ち上げると外れやすいです。',
  '分電盤の鍵は防災センターではなく管理室で借ります。17時に閉まります。',
  '地下は圏外です。1階エレベーターホールまで戻ると電波が入ります。',
  '搬入口Bのシャッターは高さ2.0m。ハイエースのハイルーフは入りません。',
  '雨の翌日は床が滑りやすいため注意。土のうが入口右手にあります。',
  '機械室の照明スイッチは扉の外側、消火栓の裏にあります。',
  '近隣から騒音の申し出あり。ハンドドリルは9時以降に使用してください。',
  '操作盤の表示が暗く読みにくいので、ヘッドライトを持参してください。',
  'トイレは1階管理室横を借りられます。作業靴の泥を落としてから使うこと。',
]
const writers = [
  ...users.filter((user) => user.supplierStaffId && user.userFlag <= 7),
  ...others,
  ...others.slice(0, 1),
].map(staffIdOf)

/** Seeds up to eight notes for an area; some areas have none. Areas with many notes also have notes of type 2 現場. */
function seed(areaId: string, now: number): NoteRow[] {
  if (!areas.some(({ id }) => id === areaId)) return []
  const count = [3, 0, 2, 8, 1, 0, 4][hash(`notes ${areaId}`) % 7] ?? 0
  return Array.from({ length: count }, (_, i) => {
    const key = `${areaId} ${i}`
    return {
      id: `nt.${areaId}.${i + 1}`,
      requestId: '',
      locationAreaId: areaId,
      type: count === 8 && i % 4 === 3 ? '2' : '1',
      openFlag: '1',
      note: texts[(hash(`t ${areaId}`) + i) % texts.length] ?? '',
      createdAt: atTime(
        addDays(previousMonth(tokyoDay(now)), -(i * 37 + (hash(`d ${key}`) % 20))),
        pick(['09:31', '11:40', '15:52'], key),
      ),
      name: `現場メモ_${areaId}_${i + 1}`,
      loginUserId: pick(writers, `w ${key}`),
    }
  })
}

const routes: Route[] = [
  { method: 'POST', path: 'noteLocationArea', handle: create },
  { method: 'GET', path: 'noteLocationArea/request/:id', handle: list },
  {
    method: 'GET',
    path: 'noteLocationArea/:id',
    handle: reads('notes', (world, row) => viewOf(world, row, '')),
  },
  { method: 'PUT', path: 'noteLocationArea/:id', handle: update },
]

export const notes = { seed, routes }
