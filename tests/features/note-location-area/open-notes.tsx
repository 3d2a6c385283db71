import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { NoteAddScreen, NoteEditScreen } from '#features/note-location-area/note-form-screens.tsx'
import { NoteListScreen } from '#features/note-location-area/note-list-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'
import { storeViews, viewsIn } from '../../support/stored-views.ts'

export const DAY = '2026-11-20'
export const AREA = 'a1'
/** Who is signed in (tests/support/render-feature). */
const ME = 's6'

/** A note that the CRM confirmed. */
export function note(
  id: string,
  over: Partial<NonNullable<NoteRecord['server']>> = {},
  record: Partial<NoteRecord> = {},
): NoteRecord {
  return {
    key: id,
    requestId: '1',
    workingDate: '',
    locationAreaId: AREA,
    noteType: '1',
    serverId: id,
    unsent: 'no',
    changes: [],
    server: {
      id,
      detailed: true,
      stamp: '1',
      note: `メモ ${id}`,
      openFlag: '1',
      createdAt: `${DAY}T09:31:00+09:00`,
      createdDisplayName: '株式会社湾岸設備 大西 修',
      loginUserId: ME,
      filePath: null,
      name: null,
      noteLocationFolderId: null,
      ...over,
    },
    ...record,
  }
}

export const theirs = { loginUserId: 's9', createdDisplayName: '東都ポンプ工業株式会社 石井 健太' }

/** One saved here that the CRM does not have. */
export function unsentNote(text: string): NoteRecord {
  const { server: _, ...record } = note('change-1', {}, { serverId: '', unsent: 'yes' })
  const change = {
    id: 'change-1',
    stamp: '1100-0000-test',
    savedAt: `${DAY}T11:00:00+09:00`,
    userId: 'u6',
    offline: true,
    kind: 'create' as const,
    fields: { note: text },
  }
  return { ...record, changes: [change] }
}

/** The list of the area was read whole. */
const markRead = (db: Database) =>
  db.interests.insert({
    key: prefetchKey('noteLocationAreas', AREA),
    kind: 'prefetch',
    askedAt: '',
    state: 'answered',
    answeredAt: '',
    total: 0,
  })

interface Options {
  notes?: readonly NoteRecord[]
  online?: boolean
  isRead?: boolean
  /** Whether the request is on the device. */
  hasRequest?: boolean
  request?: Partial<RequestRecord>
}

async function prepare({ notes = [], online = true, isRead = true, hasRequest = true, request }: Options) {
  const db = await openTestDatabase()
  if (hasRequest) await storeVisits(db, [requestOn('1', DAY, { locationAreaId: AREA, ...request })])
  await storeViews(db, 'noteLocationAreas', [...notes])
  if (isRead) await markRead(db)
  return { db, services: { online: testValue(online) } }
}

export async function openList(options: Options & { href?: string } = {}) {
  const { db, services } = await prepare(options)
  const { href = `/noteLocationArea/${AREA}?type=1&requestId=1&workingDate=${DAY}` } = options
  const url = new URL(href, 'http://phone')
  const otherId = url.pathname.split('/')[2] ?? ''
  const opened = await renderFeature(
    <NoteListScreen otherId={otherId} search={Object.fromEntries(url.searchParams)} />,
    { path: '/noteLocationArea/$otherId', href, db, services },
  )
  return { ...opened, db, setOnline: services.online.set }
}

/** @param again the database of an earlier form */
export async function openAdd(options: Options = {}, again?: Database) {
  const { db, services } = again
    ? { db: again, services: { online: testValue(true) } }
    : await prepare(options)
  const opened = await renderFeature(<NoteAddScreen requestId="1" />, {
    path: '/noteLocationArea/add/$requestId',
    href: '/noteLocationArea/add/1',
    db,
    services,
  })
  return withForm({ ...opened, db }, services.online.set)
}

export async function openEdit(id: string, options: Options = {}) {
  const { db, services } = await prepare(options)
  const opened = await renderFeature(<NoteEditScreen id={id} />, {
    path: '/noteLocationArea/$id/edit',
    href: `/noteLocationArea/${id}/edit`,
    db,
    services,
  })
  return withForm({ ...opened, db }, services.online.set)
}

type Opened = Awaited<ReturnType<typeof renderFeature>> & { db: Database }

function withForm(opened: Opened, setOnline: (online: boolean) => void) {
  const { screen, user, db } = opened
  const field = () => screen.findByLabelText<HTMLTextAreaElement>(/^メモ/)
  return {
    ...opened,
    setOnline,
    field,
    fill: async (text: string) => {
      await user.clear(await field())
      if (text === '') return
      await user.click(await field())
      await user.paste(text)
    },
    save: async () => user.click(await screen.findByRole('button', { name: '保存' })),
    saved: async () => {
      const docs = await viewsIn(db, 'noteLocationAreas', { unsent: 'yes' })
      return docs.flatMap((doc) => doc.changes)
    },
    flash: () => opened.services.flash.get()[0],
  }
}
