/**
 * Calls as the app makes them: signed, with a time limit, no redirect followed, and of an answer no more than 64 MB.
 * It says what came and judges nothing.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
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
  const signature = (method: string, url: string, text: string) => {
    const { pathname, search } = new URL(url)
    return createHmac('sha256', securityKey).update(`${method}\n${pathname}${search}\n${text}`).digest('hex')
  }
  const prepared = (method: string, url: string, { body, headers = {}, signed = true }: Sent) => {
    const isForm = body instanceof FormData
    const text = body === undefined || isForm ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    return {
      text,
      form: isForm ? body : null,
      headers: {
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(origin ? { origin } : {}),
        ...(signed ? { 'x-signature': signature(method, url, text) } : {}),
        ...headers,
      },
    }
  }
  return {
    call: async (method, url, sent = {}) => {
      const { text, form, headers } = prepared(method, url, sent)
      try {
        const response = await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
          ...(sent.body === undefined ? {} : { body: form ?? text }),
        })
        return answerOf(response, await boundedBytes(response))
      } catch (error) {
        throw new Unreachable(`${new URL(url).origin} から応答がありません（${causeOf(error)}）。`)
      }
    },
    dropped: (method, url, sent) => {
      const { text, headers } = prepared(method, url, sent)
      const start = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
      return new Promise((resolve) => {
        const length = String(Buffer.byteLength(text))
        const call = start(url, { method, headers: { ...headers, 'content-length': length }, agent: false })
        call.setTimeout(timeoutMs, () => call.destroy())
        // the first byte of the answer shows that the whole call was there
        call.on('response', () => call.destroy())
        call.on('error', () => resolve())
        call.on('close', () => resolve())
        call.end(text)
      })
    },
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
