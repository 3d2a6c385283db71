/**
 * A day's calls on the demo CRM, as the app makes them: the examples of the document, and what its schemas are held
 * against. Clock and ids are given, so that it is the same word for word whenever it is led.
 */
import { createDemoCrm, type DemoCrm } from '#demo-crm/demo-crm.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import { answered, env, MORNING, ORIGIN, sign, type Answered, type Json } from '../demo-crm/harness.ts'
import type { Operation } from './operation.ts'

export interface Exchange {
  operation: Operation
  /** Of the example, in the document. */
  title: string
  params: Record<string, string>
  query: Record<string, string>
  sent: Json
  answer: Answered
}

interface Asked {
  title?: string
  params?: Record<string, string>
  query?: Record<string, string>
  /** An object is sent as JSON, a form as it is. */
  body?: object
  /** Sent as it is, instead of a body. */
  text?: string
  headers?: Record<string, string>
}

/** Asks the CRM as the app does. @returns the answer's body */
type Ask = (operation: string, asked?: Asked) => Promise<Json>

export interface Talk {
  crm: DemoCrm
  ask: Ask
  exchanges: Exchange[]
  operations: readonly Operation[]
}

const textOf = (body: Asked['body']): string =>
  body === undefined ? '' : body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)

/** The path as it is sent. */
const filled = (path: string, params: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${path} wants ${name}`)
    return encodeURIComponent(value)
  })

/** @param operations those that may be asked, by their ids */
export function openTalk(operations: readonly Operation[]): Talk {
  const crm = createDemoCrm({ env, store: createMemoryStore(), now: () => MORNING, honourIdempotency: true })
  const exchanges: Exchange[] = []
  const tokens = { bearer: '', file: '' }
  let keys = 0

  const headersOf = ({ guard, creates }: Operation, method: string, path: string, text: string) => ({
    ...(guard === 'signed' || guard === 'bearer' ? { 'x-signature': sign(method, path, text) } : {}),
    ...(guard === 'bearer' ? { authorization: `Bearer ${tokens.bearer}` } : {}),
    ...(guard === 'fileToken' ? { access_token: tokens.file } : {}),
    ...(creates ? { 'idempotency-key': `change-${(keys += 1)}` } : {}),
  })

  const ask: Ask = async (
    name,
    { title = '', params = {}, query = {}, body, text: given, headers = {} } = {},
  ) => {
    const operation = operations.find(({ id }) => id === name)
    if (!operation) throw new Error(`there is no call ${name}`)
    const { method } = operation
    const question = new URLSearchParams(query).toString()
    const path = filled(operation.path, params) + (question && `?${question}`)
    const isForm = body instanceof FormData
    const text = given ?? (isForm ? '' : textOf(body))
    const request = new Request(ORIGIN + path, {
      method,
      headers: { ...headersOf(operation, method, path, text), ...headers },
      ...(method === 'GET' ? {} : { body: isForm ? body : text }),
    })
    const answer = await answered(await crm.fetch(request))
    const sent: Json = body instanceof URLSearchParams ? Object.fromEntries(body) : isForm ? undefined : body
    exchanges.push({ operation, title: title || operation.summary, params, query, sent, answer })
    if (answer.json?.accessToken) tokens.bearer = answer.json.accessToken
    if (answer.json?.access_token) tokens.file = answer.json.access_token
    return answer.json
  }
  return { crm, ask, exchanges, operations }
}
