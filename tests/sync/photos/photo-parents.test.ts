import { expect, test } from 'vitest'
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import { photoParents, type PhotoFolder } from '#sync/photos/photo-place.ts'

const record = (serverId: string, server?: object): PendingRecord => ({
  resource: 'safetyMeasures',
  key: 'k',
  requestId: 'r',
  workingDate: '2026-11-20',
  serverId,
  server: server && { stamp: '', ...server },
  changes: [],
  unsent: 'no',
})

test.each<[string, PendingRecord | null, PhotoFolder]>([
  ['is not here', null, { kind: 'no-record' }],
  ['the CRM does not have', record(''), { kind: 'wait' }],
  ['the CRM has, and said nothing of yet', record('s1'), { kind: 'unnamed' }],
  ['has no folder', record('s1', { name: 'S-1' }), { kind: 'unnamed' }],
  ['has a folder but no name', record('s1', { safetyFolderId: 'sf', name: null }), { kind: 'unnamed' }],
  [
    'has a filePath',
    record('s1', { filePath: 'fd-1', name: 'S-1', safetyFolderId: 'sf' }),
    { kind: 'folder', id: 'fd-1' },
  ],
  [
    'is a safety measure',
    record('s1', { filePath: null, name: 'S-1', safetyFolderId: 'sf' }),
    { kind: 'make', parentId: 'sf', name: 'S-1' },
  ],
  [
    'is a note',
    record('s1', { name: 'N-1', noteLocationFolderId: 'nf' }),
    { kind: 'make', parentId: 'nf', name: 'N-1' },
  ],
  [
    'is an emergency report',
    record('s1', { name: 'E-1', emergencyReportFolderId: 'ef' }),
    { kind: 'make', parentId: 'ef', name: 'E-1' },
  ],
])('[contract 5] the folder of a record that %s', async (_, found, folder) => {
  const parents = photoParents({ record: async () => found })
  expect(await parents.folderOf('safetyMeasures', 'k')).toEqual(folder)
})
