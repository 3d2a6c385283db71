import { useLingui } from '@lingui/react/macro'
import { CloudUpload } from 'lucide-react'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { Button, ButtonAnchor } from '#ui/controls/button.tsx'
import { FlashBanner, FlashList } from '#ui/feedback/flash.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { UpdateBanner } from './update-banner.tsx'

interface FlashStackProps {
  offersUpdate: boolean
  unsent: number
  /**
   * True if all unsent changes can be sent now: there is a signal, none has failed, and the queue need not wait (ST3).
   */
  canBeSent: boolean
}

/** The banners of a screen. Only the three top screens offer a new version, never an open form. */
export function FlashStack({ offersUpdate, unsent, canBeSent }: FlashStackProps) {
  const { flash, session, update } = useServices()
  const { t } = useLingui()
  const flashes = useValue(flash)
  const userName = useValue(session)?.userName ?? ''
  const offer = useValue(update)
  const showUpdate = offer !== null && offersUpdate
  if (flashes.length === 0 && !showUpdate) return null
  return (
    <FlashList>
      {showUpdate && <UpdateBanner offer={offer} unsent={unsent} canBeSent={canBeSent} />}
      {flashes.map(({ id, mode, about, title, text, link, act, yields }) => (
        <FlashBanner
          // A banner that becomes urgent gets a new key, because screen readers announce only new elements.
          key={`${id} ${mode === 'danger'}`}
          mode={mode}
          yields={yields}
          about={about}
          title={title}
          text={text}
          // The banner of an expired session has no close button. Its link opens the login in a new tab.
          onClose={mode === 'timeout' ? undefined : () => flash.dismiss(id)}
          action={
            mode === 'timeout' ? (
              <ButtonAnchor
                href={`/login?autoclose=yes&userName=${encodeURIComponent(userName)}`}
                target="_blank"
                variant="primary"
                wide
              >{t`ログイン`}</ButtonAnchor>
            ) : (
              (act || link) && (
                <>
                  {link && (
                    <PathButton
                      path={link.path}
                      icon={link.path.startsWith('/outbox') ? CloudUpload : undefined}
                    >
                      {link.text}
                    </PathButton>
                  )}
                  {act && (
                    <Button wide onClick={act.run}>
                      {act.text}
                    </Button>
                  )}
                </>
              )
            )
          }
        />
      ))}
    </FlashList>
  )
}
