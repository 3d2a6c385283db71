import { loginUserId } from '#schemas/session.ts'
import { useLiveQuery, useSession } from '#data/app-context.tsx'
import { useAskedList } from '#data/use-asked-list.ts'
import { useFreshDetail } from '#data/use-fresh-detail.ts'
import { useToday } from '#data/use-now.ts'
import { useVisitsOfRequest } from '#data/use-visits.ts'
import { noteOf$, notesOfArea$ } from './note-view.ts'

/** Others' notes appear while the list is open: it is read anew this often. */
const REFRESH_MS = 30_000

function useMyId(): string {
  const session = useSession()
  return session ? loginUserId(session.userInfo) : ''
}

/** The notes of an area. Online the CRM is asked for them when the list opens, and again as long as it is in sight. */
export function useNotesOfArea(areaId: string, requestId: string) {
  const me = useMyId()
  const { isRead, isComing } = useAskedList(
    { collection: 'noteLocationAreas', owner: areaId, requestId },
    { ask: areaId !== '', everyMs: REFRESH_MS },
  )
  const notes = useLiveQuery(`notes of ${areaId} ${requestId} ${me}`, (db) =>
    notesOfArea$(db, areaId, requestId, me),
  )
  return { notes, isRead, isComing }
}

/** A note by the CRM's id or the local key; null where the device has none, undefined until it was read. */
export function useNote(id: string) {
  const me = useMyId()
  return useLiveQuery(`note ${id} ${me}`, (db) => noteOf$(db, id, me))
}

/** The request that a note was opened from: the next day of it from today on, else the last. */
export function useRequestOfNote(requestId: string) {
  const today = useToday()
  const days = useVisitsOfRequest(requestId)
  const fresh = useFreshDetail(requestId, '', days?.length === 0)
  const nearest = days?.find(({ request }) => request.workingDate >= today) ?? days?.at(-1)
  return {
    request: nearest?.request ?? null,
    isComing: days === undefined || (days.length === 0 && fresh === 'asked'),
    isMissing: days?.length === 0 && fresh === 'missing',
  }
}
