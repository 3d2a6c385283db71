/** A demo CRM on a memory store with a clock that tests turn, and calls signed by another implementation of HMAC. */
import { createHmac } from 'node:crypto'
import { createDemoCrm, type DemoCrm, type DemoCrmEnv, type DemoCrmOptions } from '#demo-crm/demo-crm.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'

export const ORIGIN = 'http://crm.test'
export const env: DemoCrmEnv = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}
export const REST = '/api/v1/crm-rest/spa'

/** Friday 2026-11-20, 10:00 in Tokyo. */
export const TODAY = '2026-11-20'
export const MORNING = Date.parse('2026-11-20T10:00:00+09:00')

export const sign = (method: string, path: string, body: string, key = env.securityKey) =>
  createHmac('sha256', key).update(`${method}\n${path}\n${body}`).digest('hex')

// What a call answers is looked at field by field; its shape is what the tests are about.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Answered {
  status: number
  json: Json
  headers: Headers
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>

export interface Harness {
  crm: DemoCrm
  clock: { now: number }
  login: (userName?: string) => Promise<Json>
  /** A signed call under `{rest}` with the token of the last login. */
  rest: Send
  /** A signed call anywhere. */
  send: Send
  /** The file store's token, as the user of the last login. */
  fileToken: (headers?: Record<string, string>) => Promise<Answered>
}

export async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    json: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

export async function openHarness(options: Partial<DemoCrmOptions> = {}): Promise<Harness> {
  const clock = { now: MORNING }
  const crm = createDemoCrm({ env, store: createMemoryStore(), now: () => clock.now, ...options })
  let token = ''
  const send: Send = async (method, path, body, headers = {}) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const signed = { 'x-signature': sign(method, path, text), ...headers }
    const request = new Request(ORIGIN + path, {
      method,
      headers: signed,
      ...(method === 'GET' ? {} : { body: text }),
    })
    return answered(await crm.fetch(request))
  }
  const harness: Harness = {
    crm,
    clock,
    send,
    rest: (method, path, body, headers) =>
      send(method, `${REST}/${path}`, body, { authorization: `Bearer ${token}`, ...headers }),
    fileToken: (headers) =>
      send(
        'POST',
        '/doccloud/token',
        { userInfo: { id: 'u-1006' } },
        { authorization: `Bearer ${token}`, ...headers },
      ),
    login: async (userName = 'demo6') => {
      const form = new URLSearchParams({ userName, password: 'password' }).toString()
      const { json } = await send('POST', '/api/v1/crm/login', form)
      token = json.accessToken
      return json
    },
  }
  await harness.login()
  return harness
}

/** Today's row in a slot: 0 done early, 1 emergency, 2–4 one location, 5 several days, 6. */
export async function rowToday({ rest }: Harness, slot: number): Promise<Json> {
  const { json } = await rest('GET', `request/search?workingDateFrom=${TODAY}&workingDateTo=${TODAY}`)
  return json.find((row: Json) => row.id.endsWith(`-${slot}`))
}
