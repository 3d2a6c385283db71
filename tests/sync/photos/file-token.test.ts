import { expect, test } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { FILES_REFUSED } from '#schemas/changes/photo-queue.ts'
import { createFileStore, createFileToken, RENEWED_AGAIN_MS } from '#sync/photos/file-store.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'

const [FILES, REFRESH] = ['http://files.test', 'http://crm.test/refresh-token']
const answer = (status: number, body: unknown = null): Answer => ({
  kind: 'answer',
  ...{ status, body, isJson: true, total: null, retryAfter: null },
})

/** A device with a session, a CRM that renews it, and a file store. @param takes returns the file store's status for a token */
function scene(takes: (authorization: string) => number) {
  let session: Session = {
    ...{ accessToken: 'at-1', refreshToken: 'rt-1', userName: 'demo6', expired: false },
    userInfo: { id: 'u-1', userFlag: 6, loginUserName: '佐々木 翔' },
  }
  const calls: (string | undefined)[] = []
  const http = async ({ url, headers = {} }: HttpCall): Promise<Answer> => {
    calls.push(url === REFRESH ? 'refresh' : headers['Authorization'])
    const count = calls.filter((each) => each === 'refresh').length + 1
    if (url === REFRESH) return answer(200, { accessToken: `at-${count}`, refreshToken: `rt-${count}` })
    const status = takes(headers['Authorization'] ?? '')
    return answer(status, status === 200 ? { access_token: 'ft-1', expire: 9_999_999_999 } : null)
  }
  const sessions = {
    read: async () => session,
    async replace(known: Session, next: Session) {
      if (session === known) session = next
      return session === next
    },
  }
  const store = { store: sessions, http, locks: pageLocks(), refreshUrl: REFRESH, userId: 'u-1' }
  const tokens = createSessionTokens(store)
  const clock = { now: 0 }
  const { now } = { now: () => clock.now }
  const token = createFileToken({ http, url: FILES, user: session.userInfo, sessions, tokens, now })
  const files = createFileStore({ http: called, token, url: FILES, now })
  const expire = () => (session = { ...session, expired: true })
  return { calls, token, files, clock, expire, session: () => session }
}

const called = async (): Promise<Answer> => answer(204)

test('[OC5][C16] the file store gives its token to a session, and one that has ended is renewed for it', async () => {
  const { token, calls, session } = scene((authorization) => (authorization === 'Bearer at-2' ? 200 : 401))
  expect(await token.authorized(called)).toMatchObject({ status: 204 })
  expect(calls).toEqual(['Bearer at-1', 'refresh', 'Bearer at-2'])
  expect(session()).toMatchObject({ accessToken: 'at-2', expired: false })
})

test.each([401, 498])(
  '[OC5b][C16] its %i to a fresh session ends none, and is not answered by a refresh each time',
  async (status) => {
    const { token, calls, session } = scene(() => status)
    for (const _ of [1, 2, 3]) await token.authorized(called)
    expect(calls.filter((each) => each === 'refresh').length).toBeLessThan(2)
    expect(calls.length).toBeGreaterThan(2)
    expect(session()).toMatchObject({ expired: false })
  },
)

test('[OC5b][C16] calls that a fresh token is refused for take no other one for a while, and end no session', async () => {
  const { token, calls, clock, session } = scene(() => 200)
  let status = 401
  const send = async () => answer(status)
  for (let n = 0; n < 20; n += 1) expect(await token.authorized(send)).toMatchObject({ status: 401 })
  expect(calls).toHaveLength(2)
  clock.now += RENEWED_AGAIN_MS
  for (let n = 0; n < 20; n += 1) await token.authorized(send)
  expect(calls).toHaveLength(3)
  status = 204
  expect(await token.authorized(send)).toMatchObject({ status: 204 })
  expect(session()).toMatchObject({ expired: false })
})

test('[ST1][C16] the 401 of the file store has a name of its own; that of a session that is over has none', async () => {
  const { files, expire } = scene(() => 401)
  const refused = { kind: 'unauthorized', status: 401 }
  expect(await files.files('f-1')).toEqual({ ...refused, reasons: [FILES_REFUSED] })
  expire()
  expect(await files.files('f-1')).toEqual(refused)
})
