import { useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import {
  type FrameProps,
  useLiveQuery,
  useOnline,
  useServices,
  useValue,
} from '#data/context/app-context.tsx'
import { unsentElsewhere } from '#data/context/other-crms.ts'
import { outboxQuery } from '#data/visits/first-queries.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { AppBar } from '#ui/layout/app-bar.tsx'
import { ConnectionBadge } from '#ui/layout/connection-badge.tsx'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePane } from '#ui/layout/pane.ts'
import { Screen } from '#ui/layout/screen.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'

// The code of the banners is loaded when the first banner appears, because most starts show none.
const FlashStack = lazyCode(() => loadUntilThere(async () => (await import('./flash-stack.tsx')).FlashStack))

const StoresClosed = lazyCode(() =>
  loadUntilThere(async () => (await import('./stores-closed.tsx')).StoresClosed),
)

const NEEDS_NO_DATA = /^\/(settings|error-logs|verify)(\/|$)/

/**
 * Returns why the user's data cannot be shown; null if the data can be shown or the screen needs no data.
 */
function useWhyClosed(): string | null {
  const why = useValue(useServices().storesClosed)
  const needsNone = useRouterState({ select: ({ location }) => NEEDS_NO_DATA.test(location.pathname) })
  return needsNone ? null : why
}

/** Counts the unsent work of all CRMs, and the drafts. `stalled`: the queue waits despite a signal (ST3). */
export function useUnsent(): { unsent: number; failed: boolean; stalled: boolean; drafts: number } {
  const { crms } = useServices()
  const own = useOwnUnsent()
  const elsewhere = unsentElsewhere(useValue(crms))
  return { ...own, unsent: own.unsent + elsewhere.unsent, failed: own.failed || elsewhere.failed }
}

function useOwnUnsent(): ReturnType<typeof useUnsent> {
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  const { unsent = 0, failed = false, drafts = [] } = outbox ?? {}
  return { unsent, failed, stalled: (outbox?.wait ?? null) !== null, drafts: drafts.length }
}

/** Frame of a screen: title, app bar, banners, footer. In the wide layout, the list column has no title or banners. */
export function Frame({
  title,
  heading = title,
  tabs,
  footer,
  board,
  children,
  center,
  mainRef,
  ...bar
}: FrameProps) {
  const { appName } = useServices()
  const online = useOnline()
  const pane = usePane()
  const { stalled, ...counts } = useUnsent()
  const whyClosed = useWhyClosed()
  const badge = (
    <ConnectionBadge online={online} stalled={stalled} unsent={counts.unsent} failed={counts.failed} />
  )
  return (
    <>
      {pane !== 'list' && <title>{`${title} | ${appName}`}</title>}
      <Screen
        header={<AppBar title={heading} right={badge} {...bar} />}
        board={whyClosed === null && board}
        flashes={pane === 'list' ? null : <Flashes offersUpdate={tabs === true} />}
        footer={
          footer || tabs ? (
            <>
              {whyClosed === null && footer}
              {tabs && <Tabs {...counts} />}
            </>
          ) : null
        }
        center={center || whyClosed !== null}
        mainRef={mainRef}
      >
        {whyClosed === null ? (
          children
        ) : (
          <Suspense>
            <StoresClosed why={whyClosed} />
          </Suspense>
        )}
      </Screen>
    </>
  )
}

function Flashes({ offersUpdate }: { offersUpdate: boolean }) {
  const online = useOnline()
  const { unsent, failed, stalled } = useOwnUnsent()
  return (
    <Suspense>
      <FlashStack offersUpdate={offersUpdate} unsent={unsent} canBeSent={online && !failed && !stalled} />
    </Suspense>
  )
}
