import { expect, test } from 'vitest'
import { wireOf } from '#schemas/declare/derive.ts'
import { noteLocationArea } from '#schemas/resources/note-location-area.ts'
import { isOurs } from '#sync/wire/declared.ts'

const row = { id: 'n1', requestId: 'r1', note: '搬入口B', loginUserId: 'ss-1', type: 1 }

test.each<[string, object, boolean]>([
  ['itself', {}, true],
  ['a row without its author', { loginUserId: null }, true],
  ['somebody else’s', { loginUserId: 'ss-2' }, false],
  ['another request’s', { requestId: 'r2' }, false],
  ['other words', { note: '搬入口A' }, false],
  ['a row without words', { note: null }, false],
])('[OC3] %s is ours: %s', (_, over, ours) => {
  const wire = wireOf(noteLocationArea).assert({ ...row, ...over })
  expect(isOurs(noteLocationArea, { requestId: 'r1', loginUserId: 'ss-1' }, { note: '搬入口B' }, wire)).toBe(
    ours,
  )
})
