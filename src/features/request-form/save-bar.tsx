import { useLingui } from '@lingui/react/macro'
import { useOnline } from '#data/context/app-context.tsx'
import { maySave, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'
import { SubmitBar } from '#form/form-parts.tsx'

interface SaveBarProps {
  slug: FormSlug
  action: FormAction
  /** True if the form opens with the values registered in the CRM. Saving then requires a changed value. */
  isPrefilled?: boolean | undefined
}

/** The button 保存. Offline, a hint above it says that the change is sent later or cannot be saved. */
export function SaveBar({ slug, action, isPrefilled = false }: SaveBarProps) {
  const { t } = useLingui()
  const online = useOnline()
  const queued = t`電波がないため、端末に保存して後で送信します`
  const refused = t`電波がないため、編集を保存できません`
  const hint = maySave(slug, action, false) ? queued : refused
  const unchanged = isPrefilled ? t`変更したところがありません` : undefined
  return <SubmitBar hint={online ? undefined : hint} unchanged={unchanged}>{t`保存`}</SubmitBar>
}
