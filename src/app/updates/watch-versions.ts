/** Registers the service worker, reports waiting versions, and lets them migrate the stores (decisions/updates). */
import { ownScript } from '#lib/browser/own-script.ts'
import type { NotifyStores } from '#app/shell/store-notifications.ts'
import { askWorker, MIGRATE, CHECK_LAYOUT, type Migrated } from '#app/updates/worker/messages.ts'

interface VersionEvents {
  onWaiting(): void
  /** Another version takes control of this page. @param isFirst true if none controlled the page before */
  onTaken(isFirst: boolean): void
}

export type Versions = Awaited<ReturnType<typeof watchVersions>>

const SKIP_WAITING = { type: 'SKIP_WAITING' }

type Container = Pick<
  ServiceWorkerContainer,
  'controller' | 'register' | 'getRegistration' | 'addEventListener'
>

/** @param whenIdle delays the device's first registration, so that its download does not slow the first list */
export async function watchVersions(container: Container, events: VersionEvents, whenIdle: Promise<void>) {
  let isFirst = container.controller === null
  container.addEventListener('controllerchange', () => {
    events.onTaken(isFirst)
    isFirst = false
  })
  if (!(await container.getRegistration('/'))) await whenIdle
  const registration = await container.register(ownScript('/sw.js'), { scope: '/' })
  const report = () => {
    // The first version on a device activates itself, so it is not reported as waiting.
    if (registration.waiting && registration.active) events.onWaiting()
  }
  const watchInstallation = () => registration.installing?.addEventListener('statechange', report)
  return {
    begin() {
      // An installation that is already running sends no `updatefound` event.
      watchInstallation()
      registration.addEventListener('updatefound', watchInstallation)
      report()
    },
    waiting: () => registration.waiting,
    check: () => void registration.update().catch(() => undefined),
    /** Activates the waiting version. @returns false if no version waits */
    take() {
      registration.waiting?.postMessage(SKIP_WAITING)
      return registration.waiting !== null
    },
  }
}

export interface TakeOver {
  suspend: () => Promise<() => void>
  report: (problem: unknown) => void
  notify: NotifyStores
}

/** Time limit of the layout check, which reads the stores of all users. A slow phone needs many seconds. */
const CHECK_MS = 30_000
const MIGRATE_MS = 120_000

/** Lets the waiting version's worker migrate the stores if their layout changes. @returns false if it cannot */
export async function readyToTakeOver(worker: ServiceWorker, { suspend, report, notify }: TakeOver) {
  // `newer`: the operator has gone back to an older version of the app, which cannot open the stores.
  const layout = await askWorker(worker, CHECK_LAYOUT, CHECK_MS)
  if (layout !== 'older') return layout !== 'newer'
  const openAgain = await suspend()
  const answer = (await askWorker(worker, MIGRATE, MIGRATE_MS)) as Migrated | null
  if (answer?.ok) return true
  const why = answer?.why ?? 'no answer'
  report(`the new version could not take over: ${why}`)
  openAgain()
  notify(why === 'TimeoutError' ? 'close-other-tabs' : 'not-updated')
  return false
}
