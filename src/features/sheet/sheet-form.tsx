import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { Check, History, OctagonAlert, Siren } from 'lucide-react'
import { useRef, useState } from 'react'
import { useRequest } from '#data/visits/use-visits.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { focusFirstError } from '#form/focus-first-error.ts'
import { Icon } from '#ui/base/icon.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { SheetFields } from './sheet-fields.tsx'
import styles from './sheet-form.module.css'
import { inJapanese } from '#lib/language.ts'
import { visitFacts } from './draw-sheet.ts'
import { SheetProblemText } from './use-sheet-picture.ts'
import { isFilledIn, type SheetSpec } from './sheet-spec.ts'
import { useFillingIn } from './use-filling-in.ts'

interface SheetFormProps {
  spec: SheetSpec
  photos: FormPhotos
  onClose: () => void
}

/** The popup of a paper form. With a reason to stop the work, 安全対策 links to 緊急報告 instead of 写真に追加. */
export function SheetForm({ spec, photos, onClose }: SheetFormProps) {
  const { t, i18n } = useLingui()
  const body = useRef<HTMLDivElement>(null)
  const { values, previous, problem, isMaking, newRow, change, make } = useFillingIn(spec, photos)
  const [isTried, setTried] = useState(false)
  const { resource, requestId, workingDate } = photos.draft.target
  const request = useRequest(requestId)
  const stops = values ? spec.stopsIn(values) : []
  const press = async () => {
    setTried(true)
    if (!values || !isFilledIn(spec, values)) return focusFirstError(body.current ?? document)
    if (await make(inJapanese(() => visitFacts(request, workingDate, i18n)))) onClose()
  }
  return (
    <Sheet
      heading={i18n._(spec.heading)}
      onClose={onClose}
      phase="open"
      footer={
        <div className={styles.foot}>
          <output>{problem && <SheetProblemText why={problem} />}</output>
          {stops.length > 0 && resource === 'safetyMeasures' ? (
            <ButtonLink
              to="/emergencyReport/add/$id"
              params={{ id: requestId }}
              search={{ workingDate }}
              ignoreBlocker
              variant="danger-solid"
              wide
              icon={Siren}
            >
              {t`緊急報告を登録`}
            </ButtonLink>
          ) : (
            <Button variant="primary" wide icon={Check} busy={isMaking} onClick={() => void press()}>
              {t`写真に追加`}
            </Button>
          )}
        </div>
      }
    >
      <div ref={body} className={styles.body}>
        <div role="alert" className={styles.stops}>
          {stops.length > 0 && <Stops stops={stops} />}
        </div>
        {previous && (
          <Button icon={History} wide onClick={() => change(previous)}>
            {t`前回の内容から始める`}
          </Button>
        )}
        {values && <SheetFields {...{ spec, values, isTried, newRow }} onChange={change} />}
      </div>
    </Sheet>
  )
}

function Stops({ stops }: { stops: readonly MessageDescriptor[] }) {
  const { t, i18n } = useLingui()
  return (
    <p className={styles.stop}>
      <Icon as={OctagonAlert} />
      <span>
        {stops.map((stop) => i18n._(stop)).join('')}
        {t`直ちに作業をやめ、全員で退避してください。`}
      </span>
    </p>
  )
}
