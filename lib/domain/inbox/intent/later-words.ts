// Words in lower case without accents (see foldText).

const list = (words: string) => words.split(' ')

/** Whole month names as they follow "in" or "from", starting with January. */
export const MONTHS = [
  'january januar janvier enero gennaio januari janeiro styczniu stycznia ledna lednu январе jan',
  'february februar fevrier febrero febbraio februari fevereiro lutym lutego unora феврале feb',
  'march marz maerz mars marzo maart marco marcu marca brezna breznu марте mar',
  'april avril abril aprile kwietniu kwietnia dubna dubnu апреле apr',
  'may mai mayo maggio mei maio maj maju maja kvetna kvetnu мае',
  'june juni juin junio giugno junho czerwcu czerwca cervna cervnu июне jun',
  'july juli juillet julio luglio julho lipcu lipca cervence cervenci июле jul',
  'august aout agosto augustus augusti sierpniu sierpnia srpna srpnu августе aug',
  'september septembre septiembre settembre setembro wrzesniu wrzesnia zari сентябре sep sept',
  'october oktober octobre octubre ottobre outubro pazdzierniku pazdziernika rijna rijnu октябре oct okt',
  'november novembre noviembre novembro listopadzie listopada listopadu ноябре nov',
  'december dezember decembre diciembre dicembre dezembro desember grudniu grudnia prosince prosinci декабре dec dez',
].map(list)

export const BEFORE_MONTH = list(
  'in im en em a ad i w v в ab from by gegen anfang ende mitte beginning start end mid early late de di von of around about until till before vor vers hacia principios finales mediados inizio fine meta fin debut mi medio inicio vanaf begin eind midden poczatku koncu konca slutten starten borjan slutet bis jusqu hasta per to again',
)
export const AFTER = list('after nach apres dopo despues depois po efter etter na nach')
export const IN = list('in dans en em tra fra over om za within nach after dentro daqui binnen ca через')

export const UNITS: Readonly<Record<string, readonly string[]>> = {
  day: list('day days tag tage tagen jour jours dia dias giorno giorni dag dagen dagar dage dager dni dzien'),
  week: list(
    'week weeks woche wochen semaine semaines semana semanas settimana settimane weken vecka veckor uge uger uke uker tydzien tygodnie tygodni tydny недели недель',
  ),
  month: list(
    'month months monat monate monaten monats mois mes meses mese mesi maand maanden manad manader maned maneder miesiac miesiace miesiecy mesice mesicu месяц месяца месяцев',
  ),
  quarter: list(
    'quarter quarters quartal quartale quartals trimestre trimestres kwartaal kvartal kwartal kwartale',
  ),
  year: list(
    'year years jahr jahre jahren jahres an ans annee annees ano anos anno anni jaar jaren ar rok roku lata год года',
  ),
}

export const NUMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'a an one ein eine einem einer einen un une una uno een um uma en ett et jeden',
    'two couple zwei paar deux dos due twee dois duas tva to dwa',
    'three few drei einigen quelques trois tres algunos unos tre qualche drie enkele tres trzy kilka',
    'four vier quatre cuatro quattro quatro fyra fire cztery',
    'five funf cinq cinco cinque vijf fem piec',
    'six sechs seis sei zes sex seks szesc',
  ].flatMap((words, index) => list(words).map((word) => [word, index + 1])),
)

export const NEXT = list(
  'next new coming following nachste nachsten nachstes nachster kommende kommenden kommendes neue neuen neues prochain prochaine nouvel nouvelle proximo proxima nuevo nueva prossimo prossima nuovo nuova volgend volgende komende nieuwe novo nova nasta nya næste neste nye przyszlym przyszly przyszlego nowym pristi следующем',
)
export const CHRISTMAS = list(
  'christmas holidays weihnachten feiertagen noel fetes navidad natale kerst feestdagen natal jul swietach',
)
export const SEASONS = [
  'spring fruhjahr fruhling printemps primavera voorjaar lente varen foraret varen wiosna',
  'summer sommer sommerpause ete verano estate zomer verao sommaren sommeren lecie wakacjach',
  'autumn fall herbst automne otono autunno herfst najaar outono hosten efteraret jesienia rentree',
  'winter hiver invierno inverno vintern zima',
].map(list)
const FIRST = list('first 1st erstes ersten premier primer primo eerste primeiro forsta forste pierwszym')
const SECOND = list('second 2nd zweites zweiten deuxieme segundo secondo tweede andra andet drugim')
const THIRD = list('third 3rd drittes dritten troisieme tercer terzo derde terceiro tredje trzecim')
const FOURTH = list('fourth 4th viertes vierten quatrieme cuarto quarto vierde fjarde fjerde czwartym')
export const ORDINALS = [FIRST, SECOND, THIRD, FOURTH]
export const END = /^(end|late|ende|fin|finales|fine|eind|fim|slutet|slutten|koniec|koncu)$/
export const MID = /^(mid|middle|mitte|mi|mediados|meta|midden|meados|polowie)$/
