/** Login, single-use refresh tokens and access tokens of the demo CRM (crm-contract 2, 4). */
import { type } from 'arktype'
import { reply, withBody, type DemoResponse, type Handler } from '#demo-crm/world/call.ts'
import { DEMO_PASSWORD, userByName, type DemoUser } from './seed/people.ts'
import type { World } from '#demo-crm/world/world.ts'

const WRONG_LOGIN = 'ユーザー名、パスワードが間違っています'
const REFRESH_LIFE_MS = 30 * 86_400_000

const userInfoOf = (user: DemoUser) => ({
  id: user.id,
  ...(user.supplierStaffId ? { supplierStaffId: user.supplierStaffId, supplierId: user.supplierId } : {}),
  userFlag: user.userFlag,
  loginUserName: user.loginUserName,
})

function newPair(world: World, userName: string, lifeMs: number) {
  const pair = { accessToken: `at-${crypto.randomUUID()}`, refreshToken: `rt-${crypto.randomUUID()}` }
  world.table('accessTokens').put(pair.accessToken, { userName, expiresAt: world.now + lifeMs })
  world.table('refreshTokens').put(pair.refreshToken, { userName, expiresAt: world.now + REFRESH_LIFE_MS })
  return pair
}

/** `POST {api}/{crm}/login`, form-encoded. */
export const loginHandler =
  (lifeMs: number): Handler =>
  (call, world) => {
    const form = new URLSearchParams(call.text)
    const user = userByName(form.get('userName') ?? '')
    const password = world.table('passwords').get(form.get('userName') ?? '')?.password ?? DEMO_PASSWORD
    if (!user || form.get('password') !== password) return { status: 400, json: { error: WRONG_LOGIN } }
    return reply.ok({ ...newPair(world, user.userName, lifeMs), userInfo: userInfoOf(user) })
  }

/** Changes a user's password, as the office does if the user has forgotten it. Existing sessions stay valid. */
export const changePassword = (world: World, userName: string, password: string): void =>
  world.table('passwords').put(userName, { password })

const refreshBody = type({ refreshToken: 'string' })

const refreshRefused = reply.unauthorized('トークンが無効です。')

/** `POST {api}/{security}/refresh-token`. Each refresh token is valid once. */
export const refreshHandler = (lifeMs: number) =>
  withBody(
    refreshBody,
    ({ refreshToken }, _, world) => {
      const tokens = world.table('refreshTokens')
      const row = tokens.get(refreshToken)
      if (!row || row.expiresAt <= world.now) return refreshRefused
      tokens.remove(refreshToken)
      return reply.ok(newPair(world, row.userName, lifeMs))
    },
    refreshRefused,
  )

/** Returns the user of the bearer token, or the response 401. */
export function userOf(headers: Headers, world: World): DemoUser | DemoResponse {
  const [scheme, token = ''] = (headers.get('authorization') ?? '').split(' ')
  const row = scheme?.toLowerCase() === 'bearer' ? world.table('accessTokens').get(token) : undefined
  const user = row && row.expiresAt > world.now ? userByName(row.userName) : undefined
  return user ?? reply.unauthorized('認証エラー')
}

const fileTokenBody = type({ userInfo: { id: 'string | number' } })

/** `POST {fs}/token`: issues a file store token; `expire` is in epoch seconds (crm-contract 5). */
export const fileToken = (lifeMs: number) =>
  withBody(fileTokenBody, ({ userInfo }, _, world) => {
    const token = `fs-${crypto.randomUUID()}`
    const expiresAt = world.now + lifeMs
    world.table('fileTokens').put(token, { userName: String(userInfo.id), expiresAt })
    return reply.ok({ access_token: token, expire: Math.floor(expiresAt / 1000) })
  })

export function hasFileToken(headers: Headers, world: World): boolean {
  const row = world.table('fileTokens').get(headers.get('access_token') ?? '')
  return row !== undefined && row.expiresAt > world.now
}
