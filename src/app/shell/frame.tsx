import { useRouterState, Outlet, useMatch } from '@tanstack/react-router'
import { Suspense, type ComponentType } from 'react'
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
import { Screen, usePane } from '#ui/layout/screen.tsx'
import { Tabs, Rail } from '#ui/layout/main-links.tsx'
import { useLingui } from '@lingui/react/macro'
import { Desk } from '#ui/layout/desk.tsx'

// The code of the banners is loaded when the first banner appears, because most starts show none.
const FlashStack = lazyCode(() => loadUntilThere(async () => (await import('./flash-stack.tsx')).FlashStack))

const StoresClosed = lazyCode(() =>
  loadUntilThere(async () => (await import('./flash-stack.tsx')).StoresClosed),
)

const NEEDS_NO_DATA = /^\/(settings|error-logs|verify)(\/|$)/

/** Why the user's data cannot be shown; null if it can, or if the screen needs no data. */
function useWhyClosed(): string | null {
  const why = useValue(useServices().storesClosed)
  return useRouterState({ select: ({ location }) => NEEDS_NO_DATA.test(location.pathname) }) ? null : why
}

/** Counts the unsent work of all CRMs, and the drafts. `stalled`: the queue waits despite a signal (ST3). */
function useUnsent(): { unsent: number; failed: boolean; stalled: boolean; drafts: number } {
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

/** Layout behind login. From 900 px: rail, request list and screen side by side; below, one screen at a time. */
export function Shell({ List }: { List: ComponentType<{ currentKey?: string }> }) {
  const { t } = useLingui()
  const online = useOnline()
  const unsent = useUnsent()
  const currentKey = useMatch({
    from: '/_app/request/$id',
    shouldThrow: false,
    // The selected value is a string. A match object would render the layout again for each popup.
    select: ({ params, search }) => `${params.id}_${search.workingDate ?? ''}`,
  })
  return (
    <Desk
      rail={<Rail online={online} {...unsent} />}
      list={<List {...(currentKey && { currentKey })} />}
      listLabel={t`依頼検索`}
    >
      <Outlet />
    </Desk>
  )
}
