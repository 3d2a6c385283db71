/** A folder of more files than an answer may have: what is not in its index is not known to be absent (RULES PL11, OC6). */
import { describe, expect, test } from 'vitest'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { FileStore } from '#sync/photos/file-store.ts'
import { readFile, readUploadBack } from '#sync/photos/photo-place.ts'
import type { PhotoStore } from '#sync/photos/photo-store.ts'

function folderOf(count: number) {
  const value = Array.from({ length: count }, (_, at) => ({ file_seq: `f${at}`, name: `${at}.jpg` }))
  const files = { files: async () => ({ kind: 'accepted', value }) } as unknown as FileStore
  const store = { ofRecord: async () => [] } as unknown as PhotoStore
  return { files, store }
}

const photo = { key: 'a', resource: 'quickReports', recordKey: 'r', folderId: 'folder' } as PhotoRecord
const sentAs = (name: string) => ({ payload: JSON.stringify({ folderId: 'folder', name }) }) as LedgerEntry

describe.each([
  ['whole', ANSWER_ROWS_MAX - 1, { kind: 'accepted' }],
  ['cut', ANSWER_ROWS_MAX, { kind: 'unknown' }],
])('[PL11][OC6] an index that is %s', (_, count, absent) => {
  test('an upload in doubt that it does not have', async () => {
    expect(await readUploadBack(folderOf(count), photo, sentAs('mine.jpg'))).toMatchObject(absent)
  })

  test('a file that it does not have', async () => {
    expect(await readFile(folderOf(count), { ...photo, fileSeq: 'gone' })).toMatchObject(absent)
  })

  test('what it has is there', async () => {
    expect(await readUploadBack(folderOf(count), photo, sentAs('7.jpg'))).toEqual({
      kind: 'accepted',
      value: 'f7',
    })
    expect(await readFile(folderOf(count), { ...photo, fileSeq: 'f7' })).toMatchObject({ kind: 'accepted' })
  })
})
