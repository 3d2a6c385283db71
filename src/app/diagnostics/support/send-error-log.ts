/** Sends the error log to its folder in the file store (spec 7, crm-contract 5), and removes the sent entries. */
import { createFileStore, createFileToken } from '#sync/photos/file-store.ts'
import { endpointsOf } from '#sync/transport/endpoints.ts'
import type { Schedulers } from '#sync/scheduler/scheduler.ts'
import { createHttp, type EndedCall } from '#sync/transport/http.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import type { ErrorLogSent } from '#data/context/app-context.tsx'
import { fileStamp } from '#lib/time/tokyo-time.ts'
import type { Env } from '#app/config/env.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import { errorLogText } from '#app/diagnostics/error-text.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'

interface SendErrorLog {
  env: Env
  origin: string
  fetch: typeof globalThis.fetch
  schedulers: Schedulers
  locks: Locks
  ended?: (call: EndedCall) => void
  sessions: Pick<DeviceSessions, 'read' | 'get' | 'replace'>
  log: Pick<ErrorLog, 'read' | 'remove'>
  now: () => number
}

export async function sendErrorLog(parts: SendErrorLog): Promise<ErrorLogSent> {
  const { env, origin, fetch, schedulers, locks, ended, sessions, log, now } = parts
  const user = sessions.get()?.userInfo
  if (!user) return 'failed'
  const entries = await log.read()
  // The user's tap allows one call before the circuit breaker's back-off is over.
  schedulers.files.requestCall()
  const unguarded = createHttp({ fetch, securityKey: env.securityKey, ...(ended && { onEnded: ended }) })
  const { files: url, refresh: refreshUrl } = endpointsOf(env, origin)
  const crmHttp = schedulers.crm.guard(unguarded)
  const tokens = createSessionTokens({ store: sessions, http: crmHttp, locks, refreshUrl, userId: user.id })
  const http = schedulers.files.guard(unguarded)
  const token = createFileToken({ http, url, user, sessions, tokens, now })
  const bytes = new TextEncoder().encode(errorLogText(entries)).buffer
  const file = { name: `${fileStamp(now())}.txt`, type: 'text/plain', bytes }
  const result = await createFileStore({ http, token, url, now }).upload(env.fileStoreErrorLogFolder, file)
  switch (result.kind) {
    case 'accepted':
      await log.remove(entries)
      return 'sent'
    case 'unreachable':
    case 'unknown':
      return 'offline'
    default:
      return 'failed'
  }
}
