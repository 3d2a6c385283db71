import { useLingui } from '@lingui/react/macro'

/** A title of these screens on two lines, where it is too long for one. */
export function ChangeTitle({ title }: { title: string }) {
  const { t } = useLingui()
  const subject = t`入館・駐車場情報`
  return (
    <>
      {subject}
      <wbr />
      {title.slice(subject.length)}
    </>
  )
}
