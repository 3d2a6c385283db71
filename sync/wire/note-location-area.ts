/** Location notes between device and CRM (crm-contract 4): pure mappings. */
import type { NoteContent, NoteRecord, NoteServer, NoteWire } from '#schemas/note-location-area.ts'
import { orNull, sameWhereRead } from './fields.ts'

/** Body of `POST noteLocationArea/`. */
export const createBody = ({ requestId }: NoteRecord, { note }: NoteContent, loginUserId: string) => ({
  requestId,
  note,
  loginUserId,
})

/** Body of `PUT noteLocationArea/{id}`. */
export const editBody = (_: NoteRecord, { note }: NoteContent, loginUserId: string) => ({ note, loginUserId })

export const serverFromWire = (wire: NoteWire): Omit<NoteServer, 'stamp'> => ({
  id: wire.id,
  detailed: true,
  note: orNull(wire.note),
  openFlag: orNull(wire.openFlag),
  createdAt: orNull(wire.createdAt),
  createdDisplayName: orNull(wire.createdDisplayName),
  loginUserId: orNull(wire.loginUserId),
  filePath: orNull(wire.filePath),
  name: orNull(wire.name),
  noteLocationFolderId: orNull(wire.noteLocationFolderId),
})

/** Fields that only the CRM knows, before it was read. */
export const UNREAD = {
  openFlag: null,
  createdAt: null,
  createdDisplayName: null,
  loginUserId: null,
  filePath: null,
  name: null,
  noteLocationFolderId: null,
}

/** Whether every sent field that a row returns is equal (crm-contract 4, reading back). */
export const isOurs = (
  { requestId }: Pick<NoteRecord, 'requestId'>,
  { note }: NoteContent,
  loginUserId: string,
  wire: NoteWire,
) => wire.note === note && sameWhereRead({ requestId, loginUserId }, wire)
