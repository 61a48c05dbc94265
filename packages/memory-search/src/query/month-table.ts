/*
 * Month names of some thirty languages, and how some others mark a date: Unicode's locale data, which every platform has,
 * as a table. To ask the platform for them takes it forty milliseconds. Made and held against it by month-table.test.ts,
 * which says how to make it anew.
 */

/** The version of the locale data. */
export const CLDR = '48.0'

/** Of each month, folded; those that two languages give to different months are left out. */
export const MONTH_NAMES: readonly (readonly string[])[] = [
  [
    'january jan januar janvier janv enero ene gennaio gen janeiro januari tammikuu tammikuuta tammi styczen stycznia',
    'sty leden ledna led januara ianuarie ian sijecanj sijecnja sij січень січня січ январь января янв януари',
    'ιανουαριου ιαν ocak oca gener يناير ינואר ינו जनवरी ژانویه มกราคม',
  ],
  [
    'february feb februar fevrier fevr febrero febbraio fevereiro fev februari helmikuu helmikuuta helmi luty lutego',
    'lut unor unora uno februara febr februarie veljaca veljace velj лютии лютого лют февраль февраля февр февруари',
    'φεβρουαριου φεβ subat sub febrer فبراير פברואר פבר फ़रवरी फ़र فوریه กุมภาพันธ์',
  ],
  [
    'march mar marz mars marzo marco maart mrt marts maaliskuu maaliskuuta maalis marzec marca brezen brezna bre',
    'marec marcius marc martie ozujak ozujka ozu березень березня бер март марта мар μαρτιου μαρ mart maret مارس מרץ',
    'मार्च มีนาคม',
  ],
  [
    'april apr avril avr abril abr aprile huhtikuu huhtikuuta huhti kwiecien kwietnia kwi duben dubna dub aprila',
    'aprilis aprilie travanj travnja tra квітень квітня квіт апрель апреля апр април απριλιου απρ nisan nis ابريل',
    'אפריל אפר अप्रैल اوریل เมษายน',
  ],
  [
    'may mai mayo maggio mag maio mei maj toukokuu toukokuuta touko maja kveten kvetna kve majus svibanj svibnja svi',
    'травень травня трав маи мая μαιου μαι mayis maig مايو מאי พฤษภาคม',
  ],
  [
    'june jun juni juin junio giugno giu junho kesakuu kesakuuta kesa czerwiec czerwca cze cerven cervna cvn juna',
    'junius iunie iun lipanj lipnja червень червня черв июнь июня июн юни ιουνιου ιουν haziran haz juny يونيو יוני',
    'जून ژوين มิถุนายน',
  ],
  [
    'july jul juli juillet juil julio luglio lug julho heinakuu heinakuuta heina lipiec lipca cervenec cervence cvc',
    'jula julius iulie iul srpanj srpnja липень липня лип июль июля июл юли ιουλιου ιουλ temmuz tem juliol يوليو יולי',
    'जुलाई जुल ژويیه กรกฎาคม',
  ],
  [
    'august aug aout agosto ago augustus augusti elokuu elokuuta elo sierpien sierpnia sie srpen srpna augusta',
    'augusztus kolovoz kolovoza kol серпень серпня серп август августа авг αυγουστου αυγ agustos agu agustus agost',
    'اغسطس אוגוסט אוג अगस्त اوت สิงหาคม',
  ],
  [
    'september sep sept septembre septiembre settembre set setembro syyskuu syyskuuta syys wrzesien wrzesnia wrz zari',
    'zar septembra szeptember szept septembrie rujan rujna ruj вересень вересня вер сентябрь сентября сент септември',
    'σεπτεμβριου σεπ eylul eyl setembre سبتمبر ספטמבר ספט सितंबर सित سپتامبر กันยายน',
  ],
  [
    'october oct oktober okt octobre octubre ottobre ott outubro out lokakuu lokakuuta loka pazdziernik pazdziernika',
    'paz rijen rijna rij oktobra octombrie жовтень жовтня жовт октябрь октября окт октомври οκτωβριου οκτ ekim eki',
    'اكتوبر אוקטובר אוק अक्टूबर अक्टू اکتبر ตุลาคม',
  ],
  [
    'november nov novembre noviembre novembro marraskuu marraskuuta marras listopadu novembra noiembrie studeni',
    'studenoga stu листопад листопада лист ноябрь ноября нояб ноември νοεμβριου νοε kasim kas نوفمبر נובמבר נוב नवंबर',
    'نوامبر พฤศจิกายน',
  ],
  [
    'december dec dezember dez decembre diciembre dic dicembre dezembro desember des joulukuu joulukuuta joulu',
    'grudzien grudnia gru prosinec prosince pro decembra decembrie prosinac prosinca грудень грудня груд декабрь',
    'декабря дек декември δεκεμβριου δεκ aralik ara desembre ديسمبر דצמבר דצמ दिसंबर दिस دسامبر ธันวาคม',
  ],
]

/** What stands after the numbers of a date. */
export interface DateMarks {
  readonly year: string
  readonly month: string
  readonly day: string
}

export const DATE_MARKS: readonly DateMarks[] = [
  { year: '年', month: '月', day: '日' },
  { year: '년', month: '월', day: '일' },
]
