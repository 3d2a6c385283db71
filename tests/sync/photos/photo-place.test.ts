/** A folder with more files than an answer may have: its list does not prove that a file is absent (RULES PL11, OC6). */
import { describe, expect, test } from 'vitest'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { FileStore } from '#sync/photos/file-store.ts'
import { readFileBack, readUploadBack } from '#sync/photos/photo-place.ts'
import type { PhotoStore } from '#sync/photos/photo-store.ts'

function folderOf(count: number) {
  const value = Array.from({ length: count }, (_, at) => ({ file_seq: `f${at}`, name: `${at}.jpg` }))
  const files = {
    files: async () => ({ kind: 'accepted', value }),
    search: async () => ({ kind: 'missing', status: 404, reasons: [] }),
  } as unknown as FileStore
  const store = { ofRecord: async () => [] } as unknown as PhotoStore
  return { files, store }
}

const photo = { key: 'a', resource: 'quickReports', recordKey: 'r', folderId: 'folder' } as PhotoRecord
const sentAs = (name: string) => ({ ...photo, payload: JSON.stringify({ folderId: 'folder', name }) })

describe.each([
  ['whole', ANSWER_ROWS_MAX - 1, { kind: 'absent' }],
  ['cut', ANSWER_ROWS_MAX, { kind: 'failed', outcome: { kind: 'unknown', status: 200 } }],
])('[PL11][OC6] an index that is %s', (_, count, absent) => {
  test('an upload in doubt that it does not have', async () => {
    expect(await readUploadBack(folderOf(count), sentAs('mine.jpg'))).toEqual(absent)
  })

  test('a file that it does not have', async () => {
    const gone = { ...photo, fileSeq: 'gone' }
    expect(await readFileBack(folderOf(count), gone, (name) => name === 'other')).toEqual(absent)
  })

  test('what it has is there', async () => {
    const made = { id: 'f7', place: { folderId: 'folder', name: '7.jpg' } }
    expect(await readUploadBack(folderOf(count), sentAs('7.jpg'))).toEqual({ kind: 'there', made })
    const renamed = { ...photo, fileSeq: 'f7', name: '7.jpg' }
    expect(await readFileBack(folderOf(count), renamed, (name) => name === '7.jpg')).toEqual({
      kind: 'there',
      made,
    })
  })
})

describe('[spec 7][OC6] after a lost upload the file is searched for by what makes its name its own', () => {
  const NAME = '20261120091200123_ポンプ室.jpg'
  const mine = { file_seq: 'f9', name: NAME }
  const cut = Array.from({ length: ANSWER_ROWS_MAX }, (_, at) => ({ file_seq: `x${at}`, name: `${at}.jpg` }))
  const found = { kind: 'accepted', value: [mine] } as const
  const none = { kind: 'accepted', value: [] } as const
  const refused = { kind: 'refused', status: 400, reasons: [] } as const
  const many = { kind: 'accepted', value: cut } as const
  const there = { kind: 'there', made: { id: 'f9', place: { folderId: 'folder', name: NAME } } }
  const absent = { kind: 'absent' }
  const failed = (outcome: object) => ({ kind: 'failed', outcome })

  test.each([
    ['found: the list is not read', found, none, there, 1],
    ['not in its index yet: the list says it', none, found, there, 2],
    ['neither has it', none, none, absent, 2],
    ['the list is cut, and the search is whole', none, many, absent, 2],
    ['both are cut', many, many, failed({ kind: 'unknown', status: 200 }), 2],
    ['a store that cannot search', refused, found, there, 2],
    ['a store that does not answer', { kind: 'unreachable' }, none, failed({ kind: 'unreachable' }), 1],
  ] as const)('%s', async (_, search, list, result, calls) => {
    const asked: string[] = []
    const files = {
      search: async (folderId: string, keyword: string, fresh: boolean) => {
        asked.push(`search ${folderId} ${keyword} ${fresh}`)
        return search
      },
      files: async (folderId: string, fresh: boolean) => {
        asked.push(`list ${folderId} ${fresh}`)
        return list
      },
    } as unknown as FileStore
    const store = { ofRecord: async () => [] } as unknown as PhotoStore
    expect(await readUploadBack({ files, store }, sentAs(NAME))).toEqual(result)
    expect(asked).toEqual(['search folder 20261120091200123 true', 'list folder true'].slice(0, calls))
  })
})
