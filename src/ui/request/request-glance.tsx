import { useLingui } from '@lingui/react/macro'
import { ClipboardList } from 'lucide-react'
import type { ComponentProps } from 'react'
import { SubBar } from '#ui/controls/filter-bar.tsx'
import { GoodsTables, RequestDefs, type RequestFactsTexts } from './request-facts.tsx'
import { Popup } from '#ui/popup/popup.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'

interface RequestGlanceProps {
  facts: RequestFactsTexts
  /** Null if the goods are not on the device yet. */
  goods: ComponentProps<typeof GoodsTables>['goods'] | null
  /** The text for 商品 while `goods` is null. */
  missing: string
}

/** The row 依頼詳細を見る below the board, and the popup 依頼詳細 that it opens. */
export function RequestGlance({ facts, goods, missing }: RequestGlanceProps) {
  const { t } = useLingui()
  const open = useOpenPopup('request')
  return (
    <>
      <SubBar icon={ClipboardList} onClick={open}>{t`依頼詳細を見る`}</SubBar>
      <Popup name="request">
        {(close) => (
          <Sheet heading={t`依頼詳細`} onClose={close}>
            <RequestDefs facts={facts} />
            {goods ? <GoodsTables goods={goods} /> : <p>{t`商品：${missing}`}</p>}
          </Sheet>
        )}
      </Popup>
    </>
  )
}
