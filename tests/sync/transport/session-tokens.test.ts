import { describe, expect, test } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { outcomeOf, type Answer } from '#sync/transport/outcome.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { createSessionTokens, PAGE_MS } from '#sync/transport/session-tokens.ts'
import { atRest, nextTurn } from '../../support/at-rest.ts'

const REFRESH = 'http://crm.test/api/v1/security/refresh-token'
const session = (given: Partial<Session> = {}): Session => ({
  accessToken: 'at-1',
  refreshToken: 'rt-1',
  userName: 'demo6',
  expired: false,
  userInfo: {
    id: 'u-1',
    userFlag: 6,
    loginUserName: '佐々木 翔',
  },
  ...given,
})
const otherUser = session({
  accessToken: 'at-9',
  userInfo: { id: 'u-9', userFlag: 6, loginUserName: '別人' },
})
const answer = (status: number, body: unknown = null, isJson = true): Answer => ({
  kind: 'answer',
  status,
  body,
  isJson,
  total: null,
  retryAfter: null,
})
const NO_ANSWER: Answer = { kind: 'no-answer', sent: true }

/** A CRM that knows single-use tokens, and a device whose tabs share the session and the lock. */
function newScene(start: Session | null = session()) {
  const locks = pageLocks()
  const scene = {
    kept: start,
    /** Access tokens the CRM takes. */
    live: new Set<string>(),
    refreshTokens: new Set(['rt-1']),
    used: [] as string[],
    refreshes: 0,
    /** What the CRM answers to a refresh instead. */
    refreshAnswer: null as Answer | null,
    /** Milliseconds. */
    elapsed: 0,
    /** What happens while the refresh is on its way. */
    meanwhile: () => {},
    /** What happens before the store's transaction begins. */
    beforeReplace: () => {},
  }
  const http = async ({ url, body = '' }: { url: string; body?: string }): Promise<Answer> => {
    expect(url).toBe(REFRESH)
    scene.refreshes += 1
    // the calls of the other tabs are refused meanwhile
    await atRest(3)
    scene.meanwhile()
    if (scene.refreshAnswer) return scene.refreshAnswer
    const { refreshToken } = JSON.parse(body) as { refreshToken: string }
    if (!scene.refreshTokens.delete(refreshToken)) return answer(401)
    const pair = { accessToken: `at-${scene.refreshes + 1}`, refreshToken: `rt-${scene.refreshes + 1}` }
    scene.live.add(pair.accessToken)
    scene.refreshTokens.add(pair.refreshToken)
    return answer(200, pair)
  }
  const store = {
    read: async () => scene.kept,
    async replace(known: Session, next: Session) {
      scene.beforeReplace()
      const isHeld = scene.kept?.accessToken === known.accessToken
      if (isHeld) scene.kept = next
      return isHeld
    },
  }
  const elapsed = () => scene.elapsed
  const newTab = () =>
    createSessionTokens({ store, http, locks, refreshUrl: REFRESH, userId: 'u-1', elapsed })
  const send = async (token: string): Promise<Answer> => {
    scene.used.push(token)
    await nextTurn()
    return answer(scene.live.has(token) ? 200 : 401)
  }
  return { scene, newTab, send }
}

describe('[OC5] one refresh at a time', () => {
  test('a token that lives is used as it is', async () => {
    const { scene, newTab, send } = newScene()
    scene.live.add('at-1')
    expect(await newTab().authorized(send)).toMatchObject({ status: 200 })
    expect([scene.used, scene.refreshes]).toEqual([['at-1'], 0])
  })

  test('what another tab renewed is over as well by the time this one goes on: it is refreshed, too', async () => {
    const { scene, newTab, send } = newScene()
    scene.refreshTokens = new Set(['rt-8'])
    const late = async (token: string) => {
      // the page stood still, longer than a token lives
      if (scene.used.length === 0) scene.kept = session({ accessToken: 'at-8', refreshToken: 'rt-8' })
      return send(token)
    }
    expect(await newTab().authorized(late)).toMatchObject({ status: 200 })
    expect([scene.used, scene.refreshes]).toEqual([['at-1', 'at-8', 'at-2'], 1])
    expect(scene.kept).toMatchObject({ accessToken: 'at-2', expired: false })
  })

  test('ten calls in two tabs at once: one refresh, each is answered', async () => {
    const { scene, newTab, send } = newScene()
    const [one, two] = [newTab(), newTab()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? one : two).authorized(send)),
    )
    expect(answers).toEqual(Array.from({ length: 10 }, () => answer(200)))
    expect(scene.refreshes).toBe(1)
    expect(scene.kept).toMatchObject({ accessToken: 'at-2', refreshToken: 'rt-2', expired: false })
  })

  test('another tab renewed the pair during the call: its token is used, nothing is refreshed', async () => {
    const { scene, newTab, send } = newScene()
    scene.live.add('at-5')
    const result = await newTab().authorized(async (token) => {
      if (token === 'at-1') scene.kept = session({ accessToken: 'at-5', refreshToken: 'rt-5' })
      return send(token)
    })
    expect(result).toMatchObject({ status: 200 })
    expect([scene.used, scene.refreshes]).toEqual([['at-1', 'at-5'], 0])
  })

  test('a call is sent twice at the most', async () => {
    const { scene, newTab } = newScene()
    const used: string[] = []
    const result = await newTab().authorized(async (token) => {
      used.push(token)
      return answer(401)
    })
    expect(result).toMatchObject({ status: 401 })
    expect(used).toEqual(['at-1', 'at-2'])
    expect(scene.kept).toMatchObject({ expired: true, accessToken: 'at-2' })
  })

  test.each([200, 204, 400, 404, 429, 500, 503])('a %d is nothing to refresh for', async (status) => {
    const { scene, newTab } = newScene()
    expect(await newTab().authorized(async () => answer(status))).toEqual(answer(status))
    expect([scene.refreshes, scene.kept]).toEqual([0, session()])
  })
})

describe('[OC5a] what comes of a refresh', () => {
  const refreshed = async (refreshAnswer: Answer | null) => {
    const { scene, newTab, send } = newScene()
    scene.refreshAnswer = refreshAnswer
    return { result: await newTab().authorized(send), scene }
  }

  test.each([400, 401, 403, 498])(
    '%d: the session is expired, and kept for the next login',
    async (status) => {
      const { result, scene } = await refreshed(answer(status))
      expect(result).toMatchObject({ status: 401 })
      expect(scene.kept).toEqual(session({ expired: true }))
    },
  )

  test.each<[string, Answer]>([
    ['no answer', NO_ANSWER],
    ['what was not let through', { kind: 'no-answer', sent: false, held: true }],
    ['500', answer(500)],
    ['408', answer(408)],
    ['a page of a Wi-Fi', answer(200, '<html>')],
    ['a gateway’s page', answer(403, '<html>', false)],
    ['a gateway’s page that says 401', answer(401, ' <!doctype html>', false)],
    ['a pair without its refresh token', answer(200, { accessToken: 'at-2' })],
  ])('%s: the session is not expired, the call goes again later', async (_, refreshAnswer) => {
    const { result, scene } = await refreshed(refreshAnswer)
    expect(result).toMatchObject({ kind: 'no-answer', sent: false })
    expect(scene.kept).toEqual(session())
  })

  test.each<[string, unknown]>([
    ['nothing', ''],
    ['a word', 'Unauthorized'],
  ])('[contract 3] a 401 without JSON, %s: the session is expired', async (_, body) => {
    const { scene } = await refreshed(answer(401, body, false))
    expect(scene.kept).toEqual(session({ expired: true }))
  })

  test('[OC7][contract 3] a page that says 401 is believed when it still does ten minutes later; another answer in between begins anew', async () => {
    const { scene, newTab, send } = newScene()
    const tab = newTab()
    const page = answer(401, '<html>', false)
    const askedAt = async (ms: number, given: Answer) => {
      scene.elapsed = ms
      scene.refreshAnswer = given
      await tab.authorized(send)
      return scene.kept?.expired
    }
    expect(await askedAt(0, page)).toBe(false)
    expect(await askedAt(PAGE_MS - 1, page)).toBe(false)
    expect(await askedAt(PAGE_MS, answer(503))).toBe(false)
    expect(await askedAt(PAGE_MS + 1, page)).toBe(false)
    expect(await askedAt(2 * PAGE_MS + 1, page)).toBe(true)
  })

  test.each([429, 503])('%d: throttled, with its Retry-After', async (status) => {
    const throttled = { ...answer(status), retryAfter: '60' }
    const { result, scene } = await refreshed(throttled)
    expect(result).toEqual(throttled)
    expect(outcomeOf(result, 'write', 0)).toEqual({ kind: 'throttled', status, retryAfterMs: 60_000 })
    expect(scene.kept).toEqual(session())
  })

  test('an expired session sends nothing, until the same user signs in again', async () => {
    const { scene, newTab, send } = newScene(session({ expired: true }))
    const tab = newTab()
    expect(await tab.authorized(send)).toMatchObject({ status: 401 })
    expect(scene.used).toEqual([])
    scene.kept = session({ accessToken: 'at-7' })
    scene.live.add('at-7')
    expect(await tab.authorized(send)).toMatchObject({ status: 200 })
  })

  test('[contract 3] 498 expires the session at once, without a refresh', async () => {
    const { scene, newTab } = newScene()
    await newTab().authorized(async () => answer(498))
    expect([scene.kept?.expired, scene.refreshes]).toEqual([true, 0])
  })
})

describe('[OC11][SV4] another user’s session is never used nor written over', () => {
  test('signed in from the start', async () => {
    const { scene, newTab, send } = newScene(otherUser)
    expect(await newTab().authorized(send)).toMatchObject({ status: 401 })
    expect([scene.used, scene.refreshes, scene.kept]).toEqual([[], 0, otherUser])
  })

  test('nobody signed in', async () => {
    const { scene, newTab, send } = newScene(null)
    expect(await newTab().authorized(send)).toMatchObject({ status: 401 })
    expect([scene.used, scene.kept]).toEqual([[], null])
  })

  test.each<[string, Session | null]>([
    ['another user signed in', otherUser],
    ['the user signed out', null],
  ])('%s during the call: no refresh', async (_, next) => {
    const { scene, newTab } = newScene()
    await newTab().authorized(async () => {
      scene.kept = next
      return answer(401)
    })
    expect([scene.refreshes, scene.kept]).toEqual([0, next])
  })

  test.each<[string, Session | null, Answer | null]>([
    ['another user signed in, and it succeeds', otherUser, null],
    ['another user signed in, and it is refused', otherUser, answer(401)],
    ['the user signed out, and it succeeds', null, null],
    ['the user signed out, and it is refused', null, answer(401)],
  ])('during the refresh %s', async (_, next, refreshAnswer) => {
    const { scene, newTab, send } = newScene()
    scene.refreshAnswer = refreshAnswer
    scene.meanwhile = () => (scene.kept = next)
    await newTab().authorized(send)
    expect(scene.kept).toEqual(next)
  })

  test.each<[string, Session | null, object]>([
    ['another user signed in', otherUser, { status: 401 }],
    ['the user signed out', null, { status: 401 }],
    ['the user signed in anew', session({ accessToken: 'at-7', refreshToken: 'rt-7' }), { status: 200 }],
  ])('while the renewed pair is being written %s: no call leaves with it', async (_, next, wanted) => {
    const { scene, newTab, send } = newScene()
    scene.live.add('at-7')
    scene.beforeReplace = () => (scene.kept = next)
    expect(await newTab().authorized(send)).toMatchObject(wanted)
    expect(scene.kept).toEqual(next)
    expect(scene.used).not.toContain('at-2')
  })

  test.each([401, 498])('another user signed in before the last answer, a %d', async (status) => {
    const { scene, newTab } = newScene()
    await newTab().authorized(async (token) => {
      if (token !== 'at-1') scene.kept = otherUser
      return answer(token === 'at-1' ? 401 : status)
    })
    expect(scene.kept).toEqual(otherUser)
  })
})
