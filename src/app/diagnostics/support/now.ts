/** A support file of this page, as it is now. */
import type { Services, UserData, ValueStore } from '#data/app-context.tsx'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { LazyFigures } from '#app/diagnostics/lazy-figures.ts'
import type { Network } from '#app/network/network.ts'
import type { DeviceSessions } from '#app/session/session-store.ts'
import { makeSupportFile } from './gather.ts'

interface Live {
  clock: Services['clock']
  sessions: Pick<DeviceSessions, 'get'>
  userData: ValueStore<UserData | null>
  log: Pick<ErrorLog, 'read'>
  figures: LazyFigures
  network: Promise<Network>
}

export async function supportFileNow(live: Live, withContents: boolean): Promise<string> {
  const { clock, sessions, userData, log, figures, network } = live
  const { journal, connectivity } = await network
  return makeSupportFile({
    now: clock.now(),
    version: __APP_VERSION__,
    agent: navigator.userAgent,
    online: connectivity.isOnline(),
    installed: matchMedia('(display-mode: standalone)').matches,
    session: sessions.get(),
    data: await opened(userData, sessions.get() !== null),
    storage: navigator.storage,
    log,
    figures: await figures.load(),
    journal,
    withContents,
  })
}

/** After a reload they open in a moment; where they do not, that is what the file is for. */
const OPENS_MS = 8_000

const opened = (userData: ValueStore<UserData | null>, isSignedIn: boolean) =>
  new Promise<UserData | null>((resolve) => {
    const timer = setTimeout(() => done(), OPENS_MS)
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve(userData.get())
    }
    const stop = userData.subscribe(() => userData.get() && done())
    if (!isSignedIn || userData.get()) done()
  })
