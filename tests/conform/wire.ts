/**
 * Calls by the app's own transport (sync/transport), so that a CRM that passes is one that the app can use. It says what
 * came, of an answer no more than 64 MB, and judges nothing.
 */
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createSigner, createHttp, type HttpCall } from '#sync/transport/http.ts'
import type { ConformOptions } from './options.ts'

const ANSWER_BYTES_MAX = 64 * 1024 * 1024

export interface Answer {
  status: number
  headers: Headers
  bytes: Uint8Array
  text: string
  /** Undefined where the body is no JSON. */
  json: unknown
}

export interface Sent {
  /** A text as it is, a form as multipart, all else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** false: no signature. */
  signed?: boolean
  /** The answer is a file. */
  bytes?: boolean
}

/** No answer at all. */
export class Unreachable extends Error {}

export interface Wire {
  call: (method: string, url: string, sent?: Sent) => Promise<Answer>
  /** Sends all of a call and cuts the connection before the answer is read. */
  dropped: (method: string, url: string, sent: Sent) => Promise<void>
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code || (cause instanceof Error ? cause.name : String(cause))
}

export const randomKey = (): string => randomUUID()

export function createWire({ securityKey, timeoutMs, origin }: ConformOptions): Wire {
  return {
    call: async (method, url, sent = {}) => {
      let [came, failure]: [Answer | null, unknown] = [null, null]
      const caught: typeof fetch = async (...call) => {
        try {
          const response = await fetch(...call)
          came = answerOf(response, await boundedBytes(response))
          // the call is the app's; its answer is looked at here alone
          return new Response(null, { status: 204 })
        } catch (error) {
          failure = error
          throw error
        }
      }
      await createHttp({ fetch: caught, securityKey, timeoutMs })(callOf(method, url, sent, origin))
      if (came) return came
      throw new Unreachable(`${new URL(url).origin} から応答がありません（${causeOf(failure)}）。`)
    },
    dropped: async (method, url, sent) => {
      const { body = '', headers, contentType = 'application/json' } = callOf(method, url, sent, origin)
      const { pathname, search } = new URL(url)
      const signature = await createSigner(securityKey)(method, pathname + search, body)
      const all = {
        accept: 'application/json',
        'content-type': contentType,
        ...headers,
        'x-signature': signature,
      }
      const start = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
      return new Promise((resolve) => {
        const length = String(Buffer.byteLength(body))
        const call = start(url, { method, headers: { ...all, 'content-length': length }, agent: false })
        call.setTimeout(timeoutMs, () => call.destroy())
        // the first byte of the answer shows that the whole call was there
        call.on('response', () => call.destroy())
        call.on('error', () => resolve())
        call.on('close', () => resolve())
        call.end(body)
      })
    },
  }
}

function callOf(
  method: string,
  url: string,
  { body, headers = {}, signed = true, bytes = false }: Sent,
  origin: string,
): HttpCall {
  const { 'content-type': contentType, ...others } = headers
  const text =
    body === undefined || body instanceof FormData
      ? ''
      : typeof body === 'string'
        ? body
        : JSON.stringify(body)
  return {
    // a preflight, too: it is a browser's, and no call of the app
    method: method as HttpCall['method'],
    url,
    ...(body instanceof FormData ? { form: body } : { body: text }),
    headers: { ...(origin && { origin }), ...others },
    ...(contentType !== undefined && { contentType }),
    signed,
    bytes,
  }
}

async function boundedBytes(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > ANSWER_BYTES_MAX) throw new Error('応答が大きすぎます')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function answerOf({ status, headers }: Response, bytes: Uint8Array): Answer {
  const text = new TextDecoder().decode(bytes)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // a page, a photo or nothing
  }
  return { status, headers, bytes, text, json }
}
