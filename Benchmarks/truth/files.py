#!/usr/bin/env python3
"""Writes files as programs and spreadsheets in many languages export them, and geocodes each with a given program.

    Benchmarks/truth/files.py .build/release/waypost FOLDER [--table FILE] [--picture FILE]

The headers are those of the programs. The towns are those of the truth set, names and streets are Faker's; every run
makes the same files. Needs Faker, openpyxl and Pillow (PyPI), and LibreOffice for the OpenDocument sheet. Each file is
kept in FOLDER with its result and its map. --table writes how each file was read, and its counts; --picture all maps.
"""

import argparse
import csv
import pathlib
import random
import subprocess
import sys

from faker import Faker
from lines import kilometres

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "Tests" / "Browser"))

NAMES = {"US": "United States", "GB": "United Kingdom", "DE": "Deutschland", "AT": "Österreich", "CH": "Schweiz",
         "FR": "France", "BE": "Belgique", "IT": "Italia", "ES": "España", "NL": "Nederland", "PL": "Polska",
         "CZ": "Česko", "HU": "Magyarország", "TR": "Türkiye", "BR": "Brasil", "PT": "Portugal", "MX": "México",
         "SE": "Sverige", "NO": "Norge", "DK": "Danmark", "FI": "Suomi", "RO": "România", "RU": "Россия",
         "UA": "Україна", "GR": "Ελλάδα", "JP": "日本", "CN": "中国", "KR": "대한민국", "IL": "ישראל", "EG": "مصر",
         "SA": "السعودية", "JO": "الأردن", "MA": "المغرب", "TW": "臺灣", "CA": "Canada", "AU": "Australia",
         "IN": "India", "AR": "Argentina", "CL": "Chile", "CO": "Colombia", "HR": "Hrvatska"}

# The program; Faker's locale; countries; the file's ending; encoding; separator; each column and what it has.
FILES = """
Google Contacts|en_US|US CA|csv|utf-8|,|First Name={first};Middle Name=;Last Name={last};Organization Name={company};Labels=* myContacts;E-mail 1 - Label=* Work;E-mail 1 - Value={email};Phone 1 - Label=Mobile;Phone 1 - Value={phone};Address 1 - Label=Work;Address 1 - Formatted={number} {street}\\n{city}, {state} {zip}\\n{code};Address 1 - Street={number} {street};Address 1 - City={city};Address 1 - PO Box=;Address 1 - Region={state};Address 1 - Postal Code={zip};Address 1 - Country={code};Address 1 - Extended Address=
Outlook, English|en_GB|GB|csv|windows-1252|,|First Name={first};Last Name={last};Company={company};Business Street={number} {street};Business City={city};Business State=;Business Postal Code={zip};Business Country/Region=United Kingdom;Home Street=;Home City=;Home Postal Code=;E-mail Address={email};Mobile Phone={phone};Notes=
Outlook, German|de_DE|DE AT|csv|windows-1252|,|Anrede=;Vorname={first};Nachname={last};Firma={company};Straße geschäftlich={street} {number};Ort geschäftlich={city};Region geschäftlich=;Postleitzahl geschäftlich={zip};Land/Region geschäftlich={land};Straße privat=;Ort privat=;Telefon geschäftlich={phone};E-Mail-Adresse={email}
Outlook, French|fr_FR|FR BE|csv|windows-1252|,|Prénom={first};Nom={last};Société={company};Rue (bureau)={number} {street};Ville (bureau)={city};Dép/Région (bureau)=;Code postal (bureau)={zip};Pays/Région (bureau)={land};Rue (domicile)=;Ville (domicile)=;Adresse de messagerie={email}
Apple Contacts|en_US|US|vcf|utf-8||BEGIN:VCARD;VERSION:3.0;N:{last}@@{first}@@@@;FN:{first} {last};ADR#type=WORK:@@@@{number} {street}@@{city}@@{state}@@{zip}@@United States;END:VCARD
LinkedIn, Profile.csv|en_US|US|csv|utf-8|,|First Name={first};Last Name={last};Maiden Name=;Address={number} {street}, {city}, {state} {zip};Birth Date=;Headline=;Summary=;Industry=;Zip Code={zip};Geo Location=;Twitter Handles=;Websites=
Shopify, customers|en_US|US CA AU|csv|utf-8|,|Customer ID='{id};First Name={first};Last Name={last};Email={email};Accepts Email Marketing=no;Default Address Company=;Default Address Address1={number} {street};Default Address Address2=;Default Address City={city};Default Address Province Code={state};Default Address Country Code={code};Default Address Zip={zip};Default Address Phone={phone};Total Spent=12.50;Tags=
Shopify, orders|fr_FR|FR|csv|utf-8|,|Name=#{id};Email={email};Financial Status=paid;Currency=EUR;Subtotal=30.00;Lineitem name=Mug;Billing Name={first} {last};Billing Street=;Billing City=;Billing Zip=;Billing Country=;Shipping Name={first} {last};Shipping Street={number} {street};Shipping Address1={number} {street};Shipping Address2=;Shipping Company=;Shipping City={city};Shipping Zip='{zip};Shipping Province=;Shipping Country=FR;Shipping Phone={phone}
WooCommerce, orders|en_US|US|csv|utf-8|,|Order Number={id};Order Status=Completed;Order Date=2026-11-02 10:14;First Name (Billing)={first};Last Name (Billing)={last};Company (Billing)=;Address 1&2 (Billing)={number} {street};City (Billing)={city};State Code (Billing)={state};Postcode (Billing)={zip};Country Code (Billing)=US;Email (Billing)={email};Order Total Amount=17.00
Stripe, customers|en_US|US|csv|utf-8|,|id=cus_{id};Description=;Email={email};Name={first} {last};Created (UTC)=2026-10-01 08:00;Card ID=;Card Last4=4242;Card Address Line1={number} {street};Card Address Line2=;Card Address City={city};Card Address State={state};Card Address Country=US;Card Address Zip={zip};Delinquent=false
Salesforce, accounts|en_US|US CA|csv|utf-8|,|Account Name={company};Account Owner={first} {last};Billing Street={number} {street};Billing City={city};Billing State/Province={state};Billing Zip/Postal Code={zip};Billing Country={land};Type=Customer;Last Activity=10/2/2026
HubSpot, companies|en_AU|AU|csv|utf-8-sig|,|Record ID={id};Company name={company};Company owner={first} {last};Street Address={number} {street};City={city};State/Region={state};Postal Code={zip};Country/Region=Australia;Lifecycle Stage=Lead
Mailchimp, audience|en_US|US|csv|utf-8|,|Email Address={email};First Name={first};Last Name={last};Address={number} {street}  {city}  {state}  {zip}  US;Phone Number={phone};MEMBER_RATING=2;OPTIN_TIME=2025-01-03 10:00:00;LEID={id};TAGS=
Xero, contacts|en_GB|GB|csv|utf-8|,|*ContactName={company};AccountNumber=;EmailAddress={email};FirstName={first};LastName={last};POAttentionTo=;POAddressLine1={number} {street};POAddressLine2=;POAddressLine3=;POAddressLine4=;POCity={city};PORegion=;POPostalCode={zip};POCountry=United Kingdom;SAAttentionTo=;SAAddressLine1=;SACity=;SAPostalCode=;SACountry=;PhoneNumber={phone}
QuickBooks, customers|en_US|US|xlsx|||Name={company};Company name={company};Street Address={number} {street};City={city};State={state};Country=USA;Zip={zip};Phone={phone};Email={email};Open Balance=0
DATEV, debtors|de_DE|DE|csv|windows-1252|;|Konto=1{id};Name (Adressattyp Unternehmen)={company};Unternehmensgegenstand=;Kurzbezeichnung=;Adressattyp=2;EU-Land=DE;EU-UStID=;Adressart=STR;Straße={street} {number};Postfach=;Postleitzahl={zip};Ort={city};Land=DE;Telefon={phone}
SAP, customer list, German|de_DE|DE AT CH|xlsx|||Kunde=10{id};Name 1={company};Strasse={street} {number};PLZ={zip};Ort={city};Lnd={code};Kontengruppe=DEBI
Odoo, contacts|es_ES|ES|xlsx|||Nombre={company};Teléfono={phone};Correo electrónico={email};Calle={street}, {number};Calle 2=;Ciudad={city};Código postal={zip};País=España
Excel, Polish|pl_PL|PL|csv|windows-1250|;|Lp.={id};Nazwa={company};Ulica={street};Nr domu={number};Kod pocztowy={zip};Miejscowość={city};Województwo=;Telefon={phone}
Excel, Czech|cs_CZ|CZ|csv|windows-1250|;|Jméno={first};Příjmení={last};Ulice a č.p.={street} {number};PSČ={zip};Obec={city};Stát=Česká republika;Poznámka=
Excel, Hungarian|hu_HU|HU|csv|windows-1250|;|Név={last} {first};Irányítószám={zip};Település={city};Utca, házszám={street} {number}.;Telefonszám={phone}
Excel, Russian|ru_RU|RU|csv|windows-1251|;|№={id};Организация={company};Индекс={zip};Регион={region};Город={city};Адрес=ул. {street}, д. {number};Телефон={phone}
1C, Ukrainian|uk_UA|UA|csv|windows-1251|;|Код={id};Контрагент={company};Поштовий індекс={zip};Область={region};Місто={city};Вулиця={street};Будинок={number}
Excel, Greek|el_GR|GR|csv|windows-1253|;|Επωνυμία={company};Οδός={street} {number};Τ.Κ.={zip};Πόλη={city};Τηλέφωνο={phone}
Excel, Turkish|tr_TR|TR|csv|windows-1254|;|Ad Soyad={first} {last};Adres={street} No:{number};Posta Kodu={zip};İl={city};Ülke=Türkiye;Telefon={phone}
Address cards, Japanese|ja_JP|JP|csv|cp932|,|氏名={last} {first};フリガナ=;郵便番号={zip};都道府県={region};市区町村={city};番地={number};電話番号={phone}
WPS, Chinese|zh_CN|CN|csv|gb18030|,|姓名={last}{first};手机={phone};省份={region};城市={city};详细地址={street}{number}号;邮编={zip}
Excel, Taiwan|zh_TW|TW|csv|big5|,|姓名={last}{first};郵遞區號={zip};地址={city}{street}{number}號;電話={phone}
Naver orders, Korean|ko_KR|KR|csv|cp949|,|주문번호={id};수취인명={last}{first};우편번호={zip};배송지={region} {city} {street} {number};연락처={phone}
Excel, Arabic|ar_AA|EG SA JO MA|csv|utf-8-sig|,|الاسم={first} {last};العنوان={street} {number};المدينة={city};الرمز البريدي={zip};الدولة={land}
Excel, Hebrew|he_IL|IL|csv|windows-1255|,|שם={first} {last};כתובת={street} {number};עיר={city};טלפון={phone}
Numbers, Spanish, Mac|es_MX|MX|csv|mac_roman|;|Nombre={first} {last};Calle y número={street} {number};Colonia=;C.P.={zip};Ciudad={city};Estado={region};País=México
LibreOffice, Italian|it_IT|IT|ods|||Ragione sociale={company};Indirizzo={street}, {number};CAP={zip};Città={city};Provincia={state};Telefono={phone}
Bling, Brazilian|pt_BR|BR|csv|windows-1252|;|Nome={company};Fantasia=;Endereço={street};Número={number};Complemento=;Bairro=;CEP={zip};Cidade={city};UF={state};Fone={phone}
Exact, Dutch|nl_NL|NL|csv|windows-1252|;|Debiteurnr.={id};Naam={company};Straat={street};Huisnr.={number};Toevoeging=;Postcode={zip};Woonplaats={city};Landcode=NL
Visma, Swedish|sv_SE|SE|csv|windows-1252|;|Kundnr={id};Namn={company};Utdelningsadress={street} {number};Postnr={zip};Postort={city};Land=Sverige
Excel, Romanian|ro_RO|RO|csv|windows-1250|;|Denumire={company};Strada={street};Nr.={number};Localitate={city};Judeţ=;Cod poştal={zip};Ţara=România
"""


def places(codes):
    for name in ("native/cities", "places"):
        with open(HERE / f"{name}.tsv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        found = [row for row in rows if row["country"] in codes and row.get("kind", "city") == "city"]
        found = [row for row in found if row["postcode"] or name != "places"]
        if found:
            return found
    raise SystemExit(f"no places in {codes}")


def written(spec, folder):
    """The file, and the truth of each of its rows."""
    program, locale, codes, ending, encoding, separator, columns = spec.split("|", 6)
    chance, fake = random.Random(program), Faker(locale)
    fake.seed_instance(program)
    chosen = places(codes.split())
    chance.shuffle(chosen)
    filled, lines = [], columns.split(";")
    for number, place in enumerate(chosen[:40]):
        values = {
            "id": 1001 + number, "first": fake.first_name(), "last": fake.last_name(), "company": fake.company(),
            "email": fake.ascii_safe_email(), "phone": fake.phone_number(), "number": chance.randint(1, 99),
            "street": fake.street_name() if hasattr(fake, "street_name") else "Main Street",
            "city": place["city"] if "city" in place else place["name"], "region": place["region"],
            "state": place.get("region_code", ""), "zip": place["postcode"], "code": place["country"],
            "land": NAMES.get(place["country"], place["country"]),
        }
        filled.append([line.format(**values).replace("\\n", "\n") for line in lines])
    path = folder / f"{program.replace(', ', '-').replace(' ', '-').lower()}.{'csv' if ending == 'ods' else ending}"
    truth = [(float(place["latitude"]), float(place["longitude"])) for place in chosen[:40]]
    if ending == "vcf":
        text = "\n".join("\n".join(card) for card in filled).replace("#", ";").replace("@@", ";") + "\n"
        path.write_text(text, encoding="utf-8")
        return program, path, truth, "utf-8"
    header = [line.split("=", 1)[0] for line in lines]
    rows = [[cell.split("=", 1)[1] for cell in row] for row in filled]
    if ending == "xlsx":
        import openpyxl
        book = openpyxl.Workbook()
        for row in [header, *rows]:
            book.active.append(row)
        book.save(path)
        return program, path, truth, "utf-8"
    with open(path, "w", encoding=encoding or "utf-8", errors="replace", newline="") as file:
        csv.writer(file, delimiter=separator or ",").writerows([header, *rows])
    if ending == "ods":
        subprocess.run(["soffice", "--headless", "--convert-to", "ods", "--infilter=CSV:44,34,76,1,,0,true",
                        "--outdir", folder, path], check=True, capture_output=True)
        path.unlink()
        path = path.with_suffix(".ods")
    return program, path, truth, encoding or "utf-8"


def geocoded(waypost, path, truth, encoding, folder):
    output, page = folder / f"{path.name}.out.csv", folder / f"{path.name}.html"
    shown = subprocess.run([waypost, "geocode", path, "--temporary", "-o", output], capture_output=True, text=True)
    subprocess.run([waypost, "geocode", path, "--temporary", "-o", page], capture_output=True)
    read, counts = [], {"right": 0, "far": 0, "review": 0, "none": 0}
    for line in shown.stderr.splitlines():
        if line.startswith("Importing") or not line.strip():
            break
        read.append(line.strip())
    answers = []
    if output.exists():
        with open(output, encoding=encoding.replace("utf-8-sig", "utf-8"), newline="") as file:
            head = file.readline()
            file.seek(0)
            answers = list(csv.DictReader(file, delimiter=";" if head.count(";") > head.count(",") else ","))
    for answer, point in zip(answers, truth):
        if answer.get("status") == "needs_review":
            counts["review"] += 1
        elif not answer.get("latitude"):
            counts["none"] += 1
        else:
            near = kilometres(tuple(float(answer[name].replace(",", ".")) for name in ("latitude", "longitude")), point) <= 10
            counts["right" if near else "far"] += 1
    counts["none"] += len(truth) - len(answers)
    return read, counts, page


def pictures(pages, target):
    from browser import Browser
    from PIL import Image
    width, height, columns = 300, 190, 6
    sheet = Image.new("RGB", (columns * width, -(-len(pages) // columns) * height), "white")
    with Browser() as browser:
        for index, page in enumerate(pages):
            shot = pathlib.Path(f"{page}.png")
            opened = browser.open(page.resolve().as_uri(), width=900, height=570)
            opened.wait("document.documentElement.dataset.ready")
            opened.picture(str(shot))
            small = Image.open(shot).convert("RGB").resize((width - 4, height - 4), Image.LANCZOS)
            sheet.paste(small, (index % columns * width + 2, index // columns * height + 2))
    sheet.quantize(64).save(target, optimize=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("waypost")
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--table", type=pathlib.Path)
    options.add_argument("--picture", type=pathlib.Path)
    options.add_argument("--only", default="")
    asked = options.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    pages, table = [], ["| program | how its file is read | rows | right | over 10 km | review | none |", "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for spec in FILES.strip().splitlines():
        if asked.only not in spec.split("|")[0]:
            continue
        program, path, truth, encoding = written(spec, asked.folder)
        read, counts, page = geocoded(asked.waypost, path, truth, encoding, asked.folder)
        pages.append(page)
        read = read or ["x is read by its format"]
        form = read[0].split(" is read ", 1)[-1].removesuffix(":").replace(" (guessed; --encoding names another)", ", guessed")
        cell = ": ".join(filter(None, [form, "; ".join(read[1:])]))
        cell = cell.replace("|", "\\|")
        table.append(f"| {program} | {cell} | {len(truth)} | " + " | ".join(map(str, counts.values())) + " |")
        print(program, len(truth), counts, *read, sep="\n    ", flush=True)
    if asked.table:
        asked.table.write_text("\n".join(table) + "\n", encoding="utf-8")
    if asked.picture:
        pictures(pages, asked.picture)


main()
