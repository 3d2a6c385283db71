import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerCacheName, openAnswerCache } from '#data/http-cache/answer-cache.ts'
import { dumpStorage } from '../../support/storage-dump.ts'
import { PLAIN } from '../../support/plain-sealer.ts'

const DAY = 24 * 3_600_000
let indexedDB: IDBFactory
let now = 0
beforeEach(() => {
  indexedDB = new IDBFactory()
  now = Date.parse('2026-11-20T10:00:00+09:00')
})
const open = (mostChars?: number) =>
  openAnswerCache({
    sealer: PLAIN,
    databaseName: 'genba-00ff',
    now: () => now,
    settings: { indexedDB, IDBKeyRange },
    ...(mostChars && { mostChars }),
  })
const answer = (text: string) => ({ etag: '"1"', text, total: null })

describe('[decisions/pull] the answers that are kept', () => {
  test('[SV4a] lie in a database of one user, and are there after a restart', async () => {
    expect(answerCacheName('genba-00ff')).toBe('genba-answers-00ff')
    const first = open()
    first.put('a', answer('["鈴木"]'))
    await first.written()
    first.close()
    expect(await open().get('a')).toMatchObject(answer('["鈴木"]'))
  })

  test('[EX1] a day after they were last confirmed they are not given any more, and are gone from the disk', async () => {
    const kept = open()
    kept.put('a', answer('canary-a'))
    kept.put('b', answer('canary-b'))
    await kept.written()
    now += DAY / 2
    kept.confirm('b')
    await kept.written()
    now += DAY / 2 + 1
    expect([await kept.get('a'), (await kept.get('b'))?.text]).toEqual([undefined, 'canary-b'])
    await kept.expire(now)
    expect(await dumpStorage(indexedDB)).not.toContain('canary-a')
    now += DAY
    await kept.expire(now)
    expect(await dumpStorage(indexedDB)).not.toContain('canary')
    kept.put('c', answer('canary-c'))
    await kept.written()
    expect(await kept.get('c')).toMatchObject({ text: 'canary-c' })
  })

  test('[EX1] nor does one stay for ever that a wrong clock stamped', async () => {
    const kept = open()
    now += 400 * DAY
    kept.put('a', answer('canary'))
    await kept.written()
    now -= 400 * DAY
    await kept.expire(now)
    expect(await dumpStorage(indexedDB)).not.toContain('canary')
  })

  test('are bounded: what was confirmed longest ago goes first; one that is too long is not kept', async () => {
    const kept = open(1_000)
    for (let n = 0; n < 40; n += 1) {
      now += 1
      kept.put(`u${n}`, answer('x'.repeat(100)))
    }
    await kept.written()
    expect([await kept.get('u0'), (await kept.get('u39'))?.text.length]).toEqual([undefined, 100])
    kept.put('u39', answer('y'.repeat(3_000_000)))
    await kept.written()
    expect(await kept.get('u39')).toBeUndefined()
  })
})
