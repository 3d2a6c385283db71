/** How location notes are sent to the CRM and read from it (crm-contract 4). */
import { NoteType } from '#schemas/codes.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { noteLocationArea, type NoteRecord } from '#schemas/resources/note-location-area.ts'
import { listOwners } from '#schemas/collections/prefetch.ts'
import { isOurs } from '../wire/declared.ts'
import { createAndEdit, declaredRow, listPath } from './declared-resource.ts'
import { findOurs, ownerInRow, type PullResource } from './resource.ts'

const wire = wireOf(noteLocationArea)

export const noteLocationAreas = createAndEdit(noteLocationArea, (record, fields, read) => {
  const { requestId } = record
  const { loginUserId } = read
  // The app creates only notes of type 1 (crm-contract 4).
  const query = { type: NoteType.code.request, loginUserId }
  const list = { path: listPath(noteLocationArea, requestId), query, paged: true }
  const owner = { requestId, loginUserId }
  return findOurs(read, list, wire, (row) => isOurs(noteLocationArea, owner, fields, row))
})

/** Reads the notes of an area by the id of any of its requests: the CRM returns the same for all (crm-contract 4). */
export const notePull: PullResource<NoteRecord> = {
  source: {
    kind: 'list',
    calls: ({ requests, fetchRequest }, loginUserId) =>
      NoteType.options.map(({ code }) => ({
        path: listPath(noteLocationArea, requests[0]?.id ?? fetchRequest?.requestId ?? ''),
        query: { type: code, loginUserId },
        paging: { limit: PAGE_SIZE },
      })),
  },
  owners: listOwners.noteLocationAreas,
  lifetime: 'lists',
  basis: ({ key, noteLocationAreaCount, noteLocationAreaStatus }) =>
    `${key} ${noteLocationAreaCount} ${noteLocationAreaStatus}`,
  localSelector: (locationAreaId) => ({ locationAreaId }),
  ownerOf: ({ locationAreaId }) => locationAreaId,
  one: { path: 'noteLocationArea', ownerIn: ownerInRow(wire, ({ locationAreaId }) => locationAreaId) },
  row: declaredRow(
    noteLocationArea,
    ({ id: key, requestId, type: noteType }, { owner: locationAreaId, requests }) => {
      const fromRow = { locationAreaId, noteType: noteType ?? NoteType.code.request }
      return {
        blank: { key, requestId: requestId ?? requests[0]?.id ?? '', workingDate: '', ...fromRow },
        fromRow: () => fromRow,
      }
    },
    { mayBeOurs: true },
  ),
}
