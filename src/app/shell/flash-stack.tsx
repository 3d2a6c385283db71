import { useLingui } from '@lingui/react/macro'
import { CloudUpload } from 'lucide-react'
import { useServices, useValue, type UpdateOffer } from '#data/context/app-context.tsx'
import { Button, ButtonAnchor } from '#ui/controls/button.tsx'
import { FlashBanner, FlashList } from '#ui/feedback/flash.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { useState } from 'react'
import { Empty } from '#ui/feedback/empty.tsx'
import { usePane } from '#ui/layout/screen.tsx'

interface FlashStackProps {
  offersUpdate: boolean
  unsent: number
  /** True if all unsent changes can be sent now: signal, no failure, and the queue need not wait (ST3). */
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

type UpdateBannerProps = { offer: UpdateOffer; unsent: number; canBeSent: boolean }

/** Offers the restart. Another CRM waits until all work is sent, a too old version for work that can be sent. */
export function UpdateBanner({ offer, unsent, canBeSent }: UpdateBannerProps) {
  const { update } = useServices()
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const restart = async () => {
    setBusy(true)
    await update.apply()
    setBusy(false)
  }
  const isOtherCrm = offer === 'other-crm' || offer === 'held-crm'
  const isUrgent = isOtherCrm || offer === 'too-old'
  const waits = unsent > 0 && (isOtherCrm || (offer === 'too-old' && canBeSent))
  const question = {
    'new-version': t`新しい版があります。`,
    'too-old': t`この版は古くなりました。更新してください。`,
    'other-settings': t`新しい設定があります。`,
    'other-crm': t`接続先が変わりました。切り替えると、もう一度ログインします。`,
    'held-crm': t`接続先が変わりましたが、前の接続先に未送信の内容か入力途中の内容が端末に残っています。なくなると切り替えられます。`,
  }[offer]
  const unsentNote = waits
    ? t`未送信 ${unsent}件の送信が終わるまでお待ちください。`
    : t`未送信 ${unsent}件は端末に残り、更新のあとに送信します。`
  const isTaking = busy && (offer === 'new-version' || offer === 'too-old')
  // The text says one minute: the stores are migrated, and the browser may wait for the old worker.
  const taking = t`新しい版に切り替えています。1分ほどかかることがあります。保存済の内容は消えません。`
  const text = isUrgent && unsent > 0 ? `${question}${unsentNote}` : question
  return (
    <FlashBanner
      mode="info"
      text={isTaking ? taking : text}
      action={
        waits ? undefined : (
          <Button variant="primary" wide busy={busy} onClick={() => void restart()}>
            {isOtherCrm ? t`切り替える` : t`更新する`}
          </Button>
        )
      }
    />
  )
}

/** Replaces a screen whose data could not be opened. In the wide layout, the list column does not show it. */
export function StoresClosed({ why }: { why: string }) {
  const { t } = useLingui()
  if (usePane() === 'list') return null
  return (
    <Empty art="device" heading={t`端末の内容を開けません`} advice={why} alert>
      <Button variant="primary" onClick={() => location.reload()}>{t`読み込み直す`}</Button>
    </Empty>
  )
}
