/** How location notes travel (crm-contract 4). */
import { type } from 'arktype'
import { NoteType } from '#schemas/codes.ts'
import { noteWire, type NoteContent, type NoteRecord, type NoteServer } from '#schemas/note-location-area.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { listOwners } from '#schemas/prefetch.ts'
import { createBody, editBody, isOurs, serverFromWire, UNREAD } from '../wire/note-location-area.ts'
import { createAndEdit } from './create-and-edit.ts'
import type { PullResource } from './pull-resource.ts'
import { findOurs, parsing } from './read-back.ts'

interface Content {
  fields: NoteContent
  server: NoteServer
}

const listPath = (requestId: string) => `noteLocationArea/request/${encodeURIComponent(requestId)}`

export const noteLocationAreas = createAndEdit<NoteRecord, Content>({
  path: 'noteLocationArea',
  createBody,
  refusesSecond: false,
  edit: { body: editBody, parse: parsing(noteWire, serverFromWire) },
  readBack(record, fields, read) {
    const { loginUserId } = read
    // a note made here gets type 1 (crm-contract 4)
    const list = {
      path: listPath(record.requestId),
      query: { type: NoteType.code.request, loginUserId },
      paged: true,
    }
    return findOurs(read, list, noteWire, (row) => isOurs(record, fields, loginUserId, row))
  },
  unread: UNREAD,
})

/** The notes of an area are read through any request there, and shared by all (crm-contract 4). */
export const notePull: PullResource<NoteRecord> = {
  source: {
    kind: 'list',
    calls: ({ requests, asked }, loginUserId) =>
      NoteType.options.map(({ code }) => ({
        path: listPath(requests[0]?.id ?? asked?.requestId ?? ''),
        query: { type: code, loginUserId },
        paging: { limit: PAGE_SIZE },
      })),
  },
  owners: listOwners.noteLocationAreas,
  kept: 'lists',
  because: ({ key, noteLocationAreaCount, noteLocationAreaStatus }) =>
    `${key} ${noteLocationAreaCount} ${noteLocationAreaStatus}`,
  localSelector: (locationAreaId) => ({ locationAreaId }),
  ownerOf: ({ locationAreaId }) => locationAreaId,
  one: {
    path: 'noteLocationArea',
    ownerIn(raw) {
      const wire = noteWire(raw)
      return wire instanceof type.errors ? null : (wire.locationAreaId ?? null)
    },
  },
  row(raw, { owner, requests }) {
    const wire = noteWire(raw)
    if (wire instanceof type.errors) return wire
    const requestId = wire.requestId ?? requests[0]?.id ?? ''
    const blank = { key: wire.id, requestId, workingDate: '', changes: [], unsent: 'no' as const }
    return {
      id: wire.id,
      key: wire.id,
      record: (local, stamp) => ({
        ...(local ?? blank),
        locationAreaId: owner,
        noteType: wire.type ?? NoteType.code.request,
        serverId: wire.id,
        server: { ...serverFromWire(wire), stamp },
      }),
      isOf: (record, fields, loginUserId) => isOurs(record, fields as NoteContent, loginUserId, wire),
    }
  },
}
