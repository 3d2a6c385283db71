import { expect, test } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { transitionOf, transitions$, type Transition } from '#sync/changes/send-adapter.ts'
import { until } from '../../support/device.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'

const app = todayScene()

const row = {
  id: 'c1',
  resource: 'quickReports',
  kind: 'entry',
  state: 'sending',
  status: 0,
  serverErrors: 0,
  wish: 'none',
  payload: 'secret',
} as SendFacts

test.each<[Partial<SendFacts> | null, Partial<Transition> | null]>([
  [null, { from: null, to: 'sending' }],
  [{ state: 'waiting' }, { from: 'waiting', to: 'sending' }],
  [{ status: 503 }, { from: 'sending', to: 'sending', status: 0 }],
  [{ wish: 'resend' }, { from: 'sending', wish: 'none' }],
  [{ serverErrors: 1 }, { serverErrors: 0 }],
  [{ payload: 'another' }, null],
])('[OC1] a row that was %j moved as %j', (before, expected) => {
  const moved = transitionOf(row, before && { ...row, ...before })
  if (expected === null) expect(moved).toBeNull()
  else expect(moved).toMatchObject(expected)
  expect(JSON.stringify(moved)).not.toContain('secret')
})

test('[OC1] every move of the ledger is told as it is written: sent, refused, accepted after 再送', async () => {
  const device = await app.open()
  const moves: Transition[] = []
  const watching = transitions$(device.db).subscribe((move) => moves.push(move))
  const request = nth(await app.freeRequests(device), 0)
  const refused = {
    id: 'no',
    kind: 'status',
    status: 422,
    method: 'POST',
    path: '/quickReport/',
    count: 1,
  } as const
  await app.crm.faults.add({ ...refused, body: { errors: ['ec00011'] } })
  await enter(device, request)
  await until(() => moves.at(-1)?.to === 'refused')
  expect(moves.map(({ from, to, status }) => [from, to, status])).toEqual([
    [null, 'waiting', 0],
    ['waiting', 'sending', 0],
    ['sending', 'refused', 422],
  ])
  expect(new Set(moves.map(({ change }) => change)).size).toBe(1)
  expect(JSON.stringify(moves)).not.toContain(request.id)
  watching.unsubscribe()
})
