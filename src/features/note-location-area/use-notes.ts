import { loginUserId } from '#schemas/login-user-id.ts'
import { useLiveQuery, useSession } from '#data/app-context.tsx'
import { useAskedList } from '#data/use-asked-list.ts'
import { useAskedRecord } from '#data/use-asked-record.ts'
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
  const { isRead, isComing, standing, retry } = useAskedList(
    { collection: 'noteLocationAreas', owner: areaId, requestId },
    { ask: areaId !== '', everyMs: REFRESH_MS },
  )
  const notes = useLiveQuery(`notes of ${areaId} ${requestId} ${me}`, (db) =>
    notesOfArea$(db, areaId, requestId, me),
  )
  return { notes, isRead, isComing, standing, retry }
}

/** A note by the CRM's id or the local key. One that is not on the device is asked for. */
export function useNote(id: string) {
  const me = useMyId()
  const found = useLiveQuery(`note ${id} ${me}`, (db) => noteOf$(db, id, me))
  return useAskedRecord('noteLocationAreas', id, found)
}
