import { loginUserId } from '#schemas/device/login-user-id.ts'
import { useLiveQuery, useSession } from '#data/context/app-context.tsx'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { noteOf$, notesOfArea$ } from './note-view.ts'

/** Refresh interval in ms while the list is open, so that notes of others appear. */
const REFRESH_MS = 30_000

function useMyId(): string {
  const session = useSession()
  return session ? loginUserId(session.userInfo) : ''
}

/**
 * Returns the notes of an area. While online, the CRM is asked when the list opens and then at
 * intervals while it is visible.
 */
export function useNotesOfArea(areaId: string, requestId: string) {
  const me = useMyId()
  const { isRead, isComing, loadState, retry } = useFetchedList(
    { collection: 'noteLocationAreas', owner: areaId, requestId },
    { ask: areaId !== '', everyMs: REFRESH_MS },
  )
  const notes = useLiveQuery(`notes of ${areaId} ${requestId} ${me}`, (db) =>
    notesOfArea$(db, areaId, requestId, me),
  )
  return { notes, isRead, isComing, loadState, retry }
}

/** Returns a note by the CRM's id or the local key, and requests it if it is not on the device. */
export function useNote(id: string) {
  const me = useMyId()
  const found = useLiveQuery(`note ${id} ${me}`, (db) => noteOf$(db, id, me))
  return useFetchedRecord('noteLocationAreas', id, found)
}
