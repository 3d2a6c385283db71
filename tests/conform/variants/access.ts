import {
  hearing,
  answering,
  broken,
  instead,
  nothing,
  resent,
  saying,
  status,
  type Variant,
} from './variant.ts'
import type { Layer } from '../demo-host.ts'
import { isRow, type Row } from '../shapes.ts'

const REFRESH = /refresh-token$/
const LOGIN = /\/login$/
const SEARCH = /request\/search$/

/** A refresh that comes while one with the same token is answered gets the same pair. */
const sharing: Layer = (next) => {
  const inside = new Map<string, Promise<Response>>()
  return async (request) => {
    if (!REFRESH.test(new URL(request.url).pathname)) return next(request)
    const body = await request.clone().text()
    const first = inside.get(body) ?? next(request).finally(() => setTimeout(() => inside.delete(body), 200))
    inside.set(body, first)
    return (await first).clone()
  }
}

/** The pair that a token gave is given again. */
const reusable: Layer = (next) => {
  const pairs = new Map<string, string>()
  return async (request) => {
    if (!REFRESH.test(new URL(request.url).pathname)) return next(request)
    const body = await request.clone().text()
    const response = await next(request)
    if (response.status === 200) pairs.set(body, await response.clone().text())
    const before = pairs.get(body)
    return response.status === 401 && before
      ? new Response(before, { headers: { 'content-type': 'application/json' } })
      : response
  }
}

const user = (change: (info: Row) => Row) => (json: unknown) =>
  isRow(json) && isRow(json['userInfo']) ? { ...json, userInfo: change(json['userInfo']) } : json

export const accessVariants: Variant[] = [
  broken(
    'A1',
    '接続確認が 503',
    instead('GET', /\/check$/, () => nothing(503)),
  ),
  broken(
    'A2',
    'userFlag が文字',
    saying(
      'POST',
      LOGIN,
      user((info) => ({ ...info, userFlag: String(info['userFlag']) })),
    ),
  ),
  broken(
    'A2',
    'refreshToken がない',
    saying('POST', LOGIN, (json) => (isRow(json) ? { ...json, refreshToken: undefined } : json)),
  ),
  broken(
    'A3',
    '間違ったパスワードに 500',
    status('POST', LOGIN, (code) => code === 400, 500),
  ),
  broken(
    'A3',
    '400 の本文に error がない',
    status('POST', LOGIN, (code) => code === 400, 400, '{"reason":"x"}'),
  ),
  broken(
    'A4',
    '署名を見ない',
    (next) => async (request) =>
      next(SEARCH.test(new URL(request.url).pathname) ? await resent(request, {}) : request),
  ),
  broken(
    'A5',
    'トークンがないとログインのページへ転送',
    answering('GET', SEARCH, (response) =>
      response.status === 401
        ? new Response(null, { status: 302, headers: { location: '/login' } })
        : response,
    ),
  ),
  broken(
    'A5',
    'トークンがないとページを 200 で返す',
    answering('GET', SEARCH, (response) =>
      response.status === 401
        ? new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
        : response,
    ),
  ),
  broken(
    'A6',
    '更新しても同じ refreshToken',
    answering('POST', REFRESH, async (response, request) => {
      if (response.status !== 200) return response
      const sent = (await request.json()) as Row
      return Response.json({ ...((await response.json()) as Row), refreshToken: sent['refreshToken'] })
    }),
  ),
  broken('A7', '更新のトークンが何度でも使える', reusable),
  broken('A8', '同時の更新に同じ組を返す', sharing),
  broken(
    'A9',
    '署名を解いたパスで確かめる',
    answering('GET', SEARCH, (response, { url }) => (/%[0-9A-F]{2}/i.test(url) ? nothing(401) : response)),
  ),
  broken(
    'F1',
    '時計が 10 分遅れている',
    answering('GET', SEARCH, (response) => {
      const headers = new Headers(response.headers)
      headers.set('date', new Date(Date.now() - 600_000).toUTCString())
      return new Response(response.body, { status: response.status, headers })
    }),
  ),
  { caughtBy: 'F1', name: 'Date がない', verdict: 'lack', sendDate: false },
  broken(
    'D18',
    '登録者を別の利用者にする',
    hearing('POST', /noteLocationArea\/?$/, {
      body: (text) => text.replace(/"loginUserId":"[^"]*"/, '"loginUserId":"ss-3001"'),
    }),
  ),
]
