import { useLingui } from '@lingui/react/macro'
import { CloudUpload } from 'lucide-react'
import { type FrameProps, useLiveQuery, useOnline, useServices, useValue } from '#data/app-context.tsx'
import { outboxQuery } from '#data/first-queries.ts'
import { AppBar } from '#ui/app-bar.tsx'
import { Button, ButtonAnchor } from '#ui/button.tsx'
import { PathButton } from '#ui/path-link.tsx'
import { ConnectionBadge } from '#ui/connection-badge.tsx'
import { FlashBanner, Flashes } from '#ui/flash.tsx'
import { usePane } from '#ui/pane.ts'
import { Screen } from '#ui/screen.tsx'
import { Tabs } from '#ui/tabs.tsx'

/** How much is unsent, and whether it could go, for badge, tabs and rail: one query (sync RULES ST1, ST3). */
export function useUnsent(): { unsent: number; failed: boolean; stalled: boolean } {
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  const { unsent = 0, failed = false, wait = null } = outbox ?? {}
  return { unsent, failed, stalled: wait !== null }
}

/** The frame of every screen behind login. */
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
  const { unsent, failed, stalled } = useUnsent()
  return (
    <>
      {pane !== 'list' && <title>{`${title} | ${appName}`}</title>}
      <Screen
        header={
          <AppBar
            title={heading}
            right={<ConnectionBadge online={online} stalled={stalled} unsent={unsent} />}
            {...bar}
          />
        }
        board={board}
        flashes={pane === 'list' ? null : <FlashStack offersUpdate={tabs === true} />}
        footer={
          footer || tabs ? (
            <>
              {footer}
              {tabs && <Tabs unsent={unsent} failed={failed} />}
            </>
          ) : null
        }
        center={center}
        mainRef={mainRef}
      >
        {children}
      </Screen>
    </>
  )
}

/** The banners. A new version is offered on the three top screens only: never over an open form. */
function FlashStack({ offersUpdate }: { offersUpdate: boolean }) {
  const { flash, session, update } = useServices()
  const { t } = useLingui()
  const flashes = useValue(flash)
  const userName = useValue(session)?.userName ?? ''
  const showUpdate = useValue(update) && offersUpdate
  if (flashes.length === 0 && !showUpdate) return null
  return (
    <Flashes>
      {showUpdate && (
        <FlashBanner
          mode="info"
          text={t`新しい版があります。`}
          action={<Button variant="primary" wide onClick={update.apply}>{t`更新する`}</Button>}
        />
      )}
      {flashes.map(({ id, mode, title, text, link, act }) => (
        <FlashBanner
          // one that becomes urgent is a new one, so that it is read out at once
          key={`${id} ${mode === 'danger'}`}
          mode={mode}
          title={title}
          text={text}
          onClose={mode === 'timeout' ? undefined : () => flash.dismiss(id)}
          action={
            mode === 'timeout' ? (
              <ButtonAnchor
                href={`/login?autoclose=yes&userName=${encodeURIComponent(userName)}`}
                target="_blank"
                variant="primary"
                wide
              >{t`ログイン`}</ButtonAnchor>
            ) : act ? (
              <Button wide onClick={act.run}>
                {act.text}
              </Button>
            ) : (
              link && (
                <PathButton path={link.path} icon={CloudUpload}>
                  {link.text}
                </PathButton>
              )
            )
          }
        />
      ))}
    </Flashes>
  )
}
