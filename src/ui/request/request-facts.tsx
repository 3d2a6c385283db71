/** The rows with a request's facts, on 依頼詳細 and in popups. */
import { useLingui } from '@lingui/react/macro'
import { Fragment, useState } from 'react'
import { cx } from '#ui/base/icon.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { MapLink, PhoneLink } from './mini.tsx'
import goodsStyles from './goods.module.css'
import styles from './request-facts.module.css'
import { Button } from '#ui/controls/button.tsx'
import longTextStyles from '#ui/feedback/long-text.module.css'

interface ContactLine {
  name: string
  tel: string | null
}

/** A request's facts as text. A missing value is '' or null. */
export interface RequestFactsTexts {
  place: string
  address: string
  mapHref: string | null
  day: string
  time: string
  noWater: string
  /** 案内配布: who distributes the notices, and the day of the distribution. `day` is '' before the distribution. */
  notice: { by: string; day: string }
  customer: string
  sales: string
  situation: string
  message: string
  inMethod: string
  parking: string
  inContact: ContactLine | null
  outContact: ContactLine | null
  safety: readonly string[]
}

interface RequestRowsProps {
  facts: RequestFactsTexts
  onInContact?: (() => void) | undefined
  /** Opens the popup 地下ピット. The name 地下ピット in 安全対策 is its button. */
  onUnderPit?: (() => void) | undefined
}

export function RequestDefs({ facts, onInContact, onUnderPit }: RequestRowsProps) {
  const { t } = useLingui()
  const none = t`なし`
  const { notice, inContact, outContact } = facts
  return (
    <Defs>
      <Def label={t`作業場所`} action={facts.mapHref && <MapLink href={facts.mapHref} />}>
        <span className="strong keep">{facts.place || none}</span>
        {facts.address && <Address text={facts.address} />}
      </Def>
      <Def label={t`作業日`}>
        <span className="num">{facts.day}</span>
      </Def>
      <Def label={t`作業時間`}>
        <span className="num strong">{facts.time || t`時刻未定`}</span>
      </Def>
      <Def label={t`断水時間`}>
        {facts.noWater ? <span className="num strong">{facts.noWater}</span> : none}
      </Def>
      <Def label={t`案内配布`}>
        {notice.day === '' ? t`未` : t`済`}
        {notice.by !== '' && `（${notice.by}）`}
        {notice.day !== '' && <small className="num">{notice.day}</small>}
      </Def>
      <Def label={t`契約先`}>
        <span className="keep">{facts.customer || none}</span>
      </Def>
      <Def label={t`営業担当`}>{facts.sales || none}</Def>
      <Def label={t`現況`} long>
        <LongText text={facts.situation || none} />
      </Def>
      <Def label={t`伝達事項`} long>
        <LongText text={facts.message || none} />
      </Def>
      <Def label={t`入館方法`} long>
        <LongText text={facts.inMethod || none} />
      </Def>
      <Def label={t`駐車場`}>
        <LongText text={facts.parking || none} />
      </Def>
      <ContactRow label={t`入館連絡先`} contact={inContact} onOpen={inContact ? onInContact : undefined} />
      <ContactRow label={t`退館連絡先`} contact={outContact} />
      <Def label={t`安全対策`}>
        <SafetyNames names={facts.safety} onUnderPit={onUnderPit} />
      </Def>
    </Defs>
  )
}

/** An address such as 東京都 江東区 東雲1-9-14. Lines break at spaces, never at the hyphens of a house number. */
const Address = ({ text }: { text: string }) => (
  <small className="keep">
    {text.split(HOUSE_NUMBER).map((part, i) => (
      <span key={i} className={i % 2 === 1 ? 'nb' : undefined}>
        {part}
      </span>
    ))}
  </small>
)

const HOUSE_NUMBER = /(\d{1,8}(?:-\d{1,8}){1,4})/

interface ContactRowProps {
  label: string
  contact: ContactLine | null
  onOpen?: (() => void) | undefined
}

function ContactRow({ label, contact, onOpen }: ContactRowProps) {
  const { t } = useLingui()
  return (
    <Def label={label} onOpen={onOpen} action={contact?.tel && <PhoneLink number={contact.tel} />}>
      {contact ? contact.name || t`名称なし` : t`なし`}
      {contact?.tel && <small className="num">{contact.tel}</small>}
    </Def>
  )
}

interface SafetyNamesProps {
  names: readonly string[]
  onUnderPit?: (() => void) | undefined
}

function SafetyNames({ names, onUnderPit }: SafetyNamesProps) {
  const { t } = useLingui()
  const underPit = t`地下ピット`
  if (names.length === 0) return t`なし`
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && '；'}
      {name === underPit && onUnderPit ? (
        <button type="button" className={styles.inline} onClick={onUnderPit}>
          {name}
        </button>
      ) : (
        name
      )}
    </Fragment>
  ))
}

interface GoodsUnit {
  key: string
  heading: string
  items: readonly {
    key: string
    name: string
    model?: string | null | undefined
    quantity: string | number
  }[]
}

/** 商品: one table for each machine, with its parts. */
export function GoodsTables({ goods }: { goods: readonly GoodsUnit[] }) {
  const { t } = useLingui()
  return goods.map(({ key, heading, items }) => (
    <div key={key} className={cx(goodsStyles.goods, 'row-block')}>
      <h3>{heading}</h3>
      {items.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t`品名・型式`}</th>
              <th scope="col" className={goodsStyles.quantity}>{t`数量`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.key}>
                <td>
                  {item.name}
                  {item.model && <small className="num">{item.model}</small>}
                </td>
                <td className={cx(goodsStyles.quantity, 'num')}>{item.quantity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  ))
}

/** The CRM contract's maximum length of a text, in UTF-16 units. A longer text of the CRM is folded. */
const SHOWN = 1_000

/** A text with its line breaks. Beyond SHOWN, a button shows the rest, for a fast first paint (decisions/speed). */
function LongText({ text }: { text: string }) {
  const { t } = useLingui()
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN) return <>{text}</>
  return (
    <>
      {isWhole ? text : `${beginningOf(text)}…`}
      <Button wide className={longTextStyles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? t`短く表示` : t`続きを表示`}
      </Button>
    </>
  )
}

const beginningOf = (text: string) => text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')
