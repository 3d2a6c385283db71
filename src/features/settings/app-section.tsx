import { useLingui } from '@lingui/react/macro'
import { FileWarning, Gauge, LifeBuoy, Smartphone } from 'lucide-react'
import { useId } from 'react'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'

/**
 * アプリ: speed, error report, support file and installation. Last, because the browser may offer
 * installation at any time.
 */
export function AppSection() {
  const { t } = useLingui()
  const id = useId()
  const count = useValue(useServices().errorLog) ?? 0
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`アプリ`}</SectionHead>
      <Pad>
        <ButtonLink to="/settings/figures" tall wide icon={Gauge}>
          {t`動作状況`}
        </ButtonLink>
      </Pad>
      <Pad>
        <ButtonLink to="/error-logs" tall wide icon={FileWarning}>
          {count > 0 ? t`エラーレポート（${count}件）` : t`エラーレポート`}
        </ButtonLink>
      </Pad>
      <Pad>
        <ButtonLink to="/settings/support" tall wide icon={LifeBuoy}>
          {t`支援ファイルを共有`}
        </ButtonLink>
      </Pad>
      <InstallButton />
    </section>
  )
}

/** Shown only while the browser offers installation. */
function InstallButton() {
  const { t } = useLingui()
  const { install } = useServices()
  const isOffered = useValue(install)
  if (!isOffered) return null
  return (
    <Pad>
      <Button tall wide icon={Smartphone} onClick={() => void install.ask()}>
        {t`ホーム画面に追加`}
      </Button>
    </Pad>
  )
}
